namespace Orleans.Transactions.Abstractions;

/// <summary>One named state of a grain, accessed in transactions only.</summary>
/// <typeparam name="TState">The state's type.</typeparam>
public interface ITransactionalState<TState> where TState : class, new()
{
    /// <summary>Reads. The function gets a copy that it must not change, and may run more than once.</summary>
    /// <exception cref="OrleansTransactionException">No transaction is ambient, or it is doomed.</exception>
    Task<TResult> PerformRead<TResult>(Func<TState, TResult> readFunction);

    /// <summary>Reads, modifies and writes. The function changes the copy that it gets, and may run more than once.</summary>
    /// <exception cref="OrleansTransactionException">No transaction is ambient, or it is doomed.</exception>
    Task<TResult> PerformUpdate<TResult>(Func<TState, TResult> updateFunction);
}

/// <summary>Shorter ways to access states.</summary>
public static class TransactionalStateExtensions
{
    /// <summary>Updates without a result.</summary>
    /// <typeparam name="TState">The state's type.</typeparam>
    public static Task PerformUpdate<TState>(this ITransactionalState<TState> transactionalState, Action<TState> updateAction)
        where TState : class, new()
    {
        ArgumentNullException.ThrowIfNull(updateAction);
        return transactionalState.PerformUpdate<bool>(state =>
        {
            updateAction(state);
            return true;
        });
    }
}

/// <summary>Names the transactional state that a grain's constructor parameter stands for.</summary>
/// <param name="stateName">Unique within the grain class; names the state in logs and policies.</param>
/// <param name="storageName">One of <c>EmbeddedClusterOptions.RowStores</c>: the state is kept in a row there. Any other name is accepted for source compatibility, and the state is kept in the log store.</param>
[AttributeUsage(AttributeTargets.Parameter)]
public class TransactionalStateAttribute(string stateName, string? storageName = null) : Attribute
{
    /// <summary>The state's name.</summary>
    public string StateName { get; } = stateName;

    /// <summary>The storage's name.</summary>
    public string? StorageName { get; } = storageName;
}
