namespace Polyjuice;

/// <summary>
/// Says of a transactional grain interface method that transactions which it starts access a state: of the grain
/// itself, or of each grain that an argument names. Where the policy reserves, a declared access set takes the place of
/// a dry run. Declare each access once, those of the grains that it calls included. What is declared wrongly, or not at
/// all, costs time and nothing else; what cannot exist is refused when the silo starts.
/// </summary>
/// <example>
/// <code>
/// [Transaction(TransactionOption.CreateOrJoin)]
/// [Updates("balance"), Updates("balance", Of = nameof(to))]
/// Task Transfer(long to, long amount);
/// </code>
/// </example>
/// <param name="state">The state's name, as <c>[TransactionalState]</c> has it.</param>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public abstract class DeclaredAccessAttribute(string state) : Attribute
{
    /// <summary>The state's name.</summary>
    public string State { get; } = state;

    /// <summary>
    /// The argument that names the grains: a key, a reference to a grain, or a collection of either;
    /// <see langword="null"/>, the default, stands for the grain that is called.
    /// </summary>
    public string? Of { get; init; }

    /// <summary>
    /// The interface of the grains whose keys <see cref="Of"/> names; by
    /// default the method's own. Not with references, which know theirs.
    /// </summary>
    public Type? Grain { get; init; }
}

/// <summary>
/// Declares a state that the method's transaction reads and does not update; see <see cref="DeclaredAccessAttribute"/>.
/// </summary>
/// <param name="state">The name of a state that is read and not updated.</param>
public sealed class ReadsAttribute(string state) : DeclaredAccessAttribute(state);

/// <summary>
/// Declares a state that the method's transaction may update; see <see cref="DeclaredAccessAttribute"/>.
/// </summary>
/// <param name="state">The name of a state that is updated.</param>
public sealed class UpdatesAttribute(string state) : DeclaredAccessAttribute(state);
