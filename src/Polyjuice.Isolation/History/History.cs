namespace Polyjuice.Isolation;

/// <summary>What clients asked for and were told, in order. Immutable, so safe to share between threads.</summary>
public sealed class History
{
    /// <summary>Pairs completions with invocations.</summary>
    /// <param name="operations">In the order in which they happened.</param>
    /// <exception cref="HistoryException">Indices do not grow, a process runs two transactions at once, a completion
    /// has no invocation or does not fit it, or one element or value is written twice.</exception>
    public History(IEnumerable<Operation> operations)
    {
        ArgumentNullException.ThrowIfNull(operations);
        Operations = [.. operations];
        Transactions = HistoryPairing.Pair(Operations);
    }

    /// <summary>All operations.</summary>
    public IReadOnlyList<Operation> Operations { get; }

    /// <summary>All transactions, in the order of their invocations.</summary>
    public IReadOnlyList<Transaction> Transactions { get; }
}
