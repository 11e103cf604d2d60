namespace Polyjuice.Isolation;

/// <summary>What clients asked for and were told, in order. Immutable, so safe to share between threads.</summary>
public sealed class History
{
    /// <summary>Pairs completions with invocations.</summary>
    /// <param name="operations">In the order in which they happened.</param>
    /// <exception cref="HistoryException">Indices do not grow, a process runs two transactions at once, a completion
    /// has no invocation or does not fit it, or one element or value is written twice.</exception>
    internal History(IEnumerable<Operation> operations)
    {
        ArgumentNullException.ThrowIfNull(operations);
        Operations = [.. operations];
        Transactions = HistoryPairing.Pair(Operations);
    }

    /// <summary>All operations.</summary>
    internal IReadOnlyList<Operation> Operations { get; }

    /// <summary>All transactions, in the order of their invocations.</summary>
    internal IReadOnlyList<Transaction> Transactions { get; }

    /// <summary>Reads a history from a file in Jepsen's op format, a JSON object in each line.</summary>
    /// <param name="path">The file.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="IOException">The file can't be read.</exception>
    /// <exception cref="HistoryException">A line can't be read, or the whole is not a history.</exception>
    public static History Read(string path, CancellationToken cancellationToken = default) =>
        HistoryReader.Read(path, cancellationToken);

    /// <summary>Writes it into a file, in the format that <see cref="Read"/> reads. Replaces what is there.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="IOException">The file can't be written; it may hold a part.</exception>
    public void Save(string path) => HistoryWriter.Write(path, Operations);
}
