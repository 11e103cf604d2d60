namespace Polyjuice.Isolation;

/// <summary>Records a history as it happens. Not thread-safe: the order of calls is the order of the history.</summary>
public sealed class HistoryBuilder
{
    private readonly List<Operation> _operations = [];

    /// <summary>How many operations were recorded.</summary>
    public int Count => _operations.Count;

    /// <summary>A client asks for a transaction.</summary>
    /// <param name="process">The client. It has at most one transaction under way.</param>
    /// <param name="time">When, as <see cref="Operation.Time"/> counts.</param>
    /// <param name="microOps">The steps, in their order.</param>
    public Operation Invoke(int process, long time, params IReadOnlyList<MicroOp> microOps) =>
        Add(OperationType.Invoke, process, time, microOps);

    /// <summary>A client is told that it committed. The steps are those invoked, with the results of reads.</summary>
    /// <param name="process">The client. It has at most one transaction under way.</param>
    /// <param name="time">When, as <see cref="Operation.Time"/> counts.</param>
    /// <param name="microOps">The steps, in their order.</param>
    public Operation Ok(int process, long time, params IReadOnlyList<MicroOp> microOps) =>
        Add(OperationType.Ok, process, time, microOps);

    /// <summary>A client is told that it aborted. The steps are those invoked, or none.</summary>
    /// <param name="process">The client. It has at most one transaction under way.</param>
    /// <param name="time">When, as <see cref="Operation.Time"/> counts.</param>
    /// <param name="microOps">The steps, in their order.</param>
    public Operation Fail(int process, long time, params IReadOnlyList<MicroOp> microOps) =>
        Add(OperationType.Fail, process, time, microOps);

    /// <summary>
    /// A client is told that nobody knows. The steps are those invoked, with what register reads are known to have
    /// seen, or none.
    /// </summary>
    /// <param name="process">The client. It has at most one transaction under way.</param>
    /// <param name="time">When, as <see cref="Operation.Time"/> counts.</param>
    /// <param name="microOps">The steps, in their order.</param>
    public Operation Info(int process, long time, params IReadOnlyList<MicroOp> microOps) =>
        Add(OperationType.Info, process, time, microOps);

    /// <summary>What was recorded so far; what has not completed has an unknown outcome.</summary>
    /// <exception cref="HistoryException">
    /// It is not a history; see <see cref="History(IEnumerable{Operation})"/>.
    /// </exception>
    public History Build() => new(_operations);

    private Operation Add(OperationType type, int process, long time, IReadOnlyList<MicroOp> microOps)
    {
        var operation = new Operation(_operations.Count, type, process, time, microOps);
        _operations.Add(operation);
        return operation;
    }
}
