namespace Polyjuice.Isolation;

/// <summary>One step of a transaction.</summary>
/// <remarks>
/// A read whose result is neither a value nor a list is unknown in an invocation, and in what
/// <see cref="HistoryBuilder.Ok"/> records it is the initial state: an empty list, or a register that nobody wrote.
/// </remarks>
public readonly record struct MicroOp
{
    private MicroOp(MicroOpKind kind, HistoryKey key, long? value, IReadOnlyList<long>? list)
    {
        Kind = kind;
        Key = key;
        Value = value;
        List = list;
    }

    /// <summary>What it does.</summary>
    internal MicroOpKind Kind { get; }

    /// <summary>Where.</summary>
    internal HistoryKey Key { get; }

    /// <summary>
    /// The element that an append adds, the value that a write leaves, or the value that a register's read saw.
    /// </summary>
    internal long? Value { get; }

    /// <summary>What a list's read saw. It must not change any more.</summary>
    internal IReadOnlyList<long>? List { get; }

    /// <summary>
    /// Adds an element to a list. No other append to that key, in any transaction, may use the same element.
    /// </summary>
    /// <param name="key">The list.</param>
    /// <param name="element">What is added.</param>
    public static MicroOp Append(HistoryKey key, long element) => new(MicroOpKind.Append, key, element, null);

    /// <summary>Writes a register. No other write of that key, in any transaction, may use the same value.</summary>
    /// <param name="key">The register.</param>
    /// <param name="value">What is written.</param>
    public static MicroOp Write(HistoryKey key, long value) => new(MicroOpKind.Write, key, value, null);

    /// <summary>
    /// A read without a result: not known in an invocation, the initial state in a completion.
    /// </summary>
    /// <param name="key">The list or the register.</param>
    public static MicroOp Read(HistoryKey key) => new(MicroOpKind.Read, key, null, null);

    /// <summary>A read of a register that saw <paramref name="value"/>; null is the initial state.</summary>
    /// <param name="key">The register.</param>
    /// <param name="value">What was seen.</param>
    public static MicroOp ReadValue(HistoryKey key, long? value) => new(MicroOpKind.Read, key, value, null);

    /// <summary>A read of a list that saw <paramref name="elements"/>.</summary>
    /// <param name="key">The list.</param>
    /// <param name="elements">What was seen; it must not change any more.</param>
    public static MicroOp ReadList(HistoryKey key, IReadOnlyList<long> elements) =>
        new(MicroOpKind.Read, key, null, elements ?? throw new ArgumentNullException(nameof(elements)));

    /// <summary>Equal when they do the same with the same result; lists are compared element by element.</summary>
    public bool Equals(MicroOp other) =>
        Kind == other.Kind && Key == other.Key && Value == other.Value
        && (ReferenceEquals(List, other.List)
            || (List is not null && other.List is not null && List.SequenceEqual(other.List)));

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Kind, Key, Value, List?.Count);

    /// <inheritdoc/>
    public override string ToString() => Kind switch
    {
        MicroOpKind.Append => $"append {Key} {Value}",
        MicroOpKind.Write => $"w {Key} {Value}",
        _ => $"r {Key} {(List is null ? Value?.ToString() ?? "nil" : $"[{string.Join(' ', List)}]")}",
    };
}
