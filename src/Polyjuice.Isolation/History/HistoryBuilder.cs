namespace Polyjuice.Isolation;

/// <summary>Records a history as it happens. Not thread-safe: the order of calls is the order of the history.</summary>
public sealed class HistoryBuilder
{
    private readonly List<Operation> _operations = [];

    /// <summary>How many operations were recorded.</summary>
    public int Count => _operations.Count;

    /// <summary>A client asks for a transaction.</summary>
    /// <param name="process">The client. It has at most one transaction under way.</param>
    /// <param name="time">When, in nanoseconds since the start of the run; for people, never judged.</param>
    /// <param name="microOps">The steps, in their order.</param>
    public void Invoke(int process, long time, params IReadOnlyList<MicroOp> microOps) =>
        Add(OperationType.Invoke, process, time, microOps);

    /// <summary>A client is told that it committed. The steps are those invoked, with the results of reads.</summary>
    /// <param name="process">The client. It has at most one transaction under way.</param>
    /// <param name="time">When, in nanoseconds since the start of the run; for people, never judged.</param>
    /// <param name="microOps">The steps, in their order.</param>
    public void Ok(int process, long time, params IReadOnlyList<MicroOp> microOps) =>
        Add(OperationType.Ok, process, time, microOps);

    /// <summary>A client is told that it aborted. The steps are those invoked, or none.</summary>
    /// <param name="process">The client. It has at most one transaction under way.</param>
    /// <param name="time">When, in nanoseconds since the start of the run; for people, never judged.</param>
    /// <param name="microOps">The steps, in their order.</param>
    public void Fail(int process, long time, params IReadOnlyList<MicroOp> microOps) =>
        Add(OperationType.Fail, process, time, microOps);

    /// <summary>
    /// A client is told that nobody knows. The steps are those invoked, with what register reads are known to have
    /// seen, or none.
    /// </summary>
    /// <param name="process">The client. It has at most one transaction under way.</param>
    /// <param name="time">When, in nanoseconds since the start of the run; for people, never judged.</param>
    /// <param name="microOps">The steps, in their order.</param>
    public void Info(int process, long time, params IReadOnlyList<MicroOp> microOps) =>
        Add(OperationType.Info, process, time, microOps);

    /// <summary>What was recorded so far; what has not completed has an unknown outcome.</summary>
    /// <exception cref="HistoryException">
    /// It is not a history: a process runs two transactions at once, a completion has no invocation or does not fit it,
    /// or one element or value is written twice.
    /// </exception>
    public History Build() => new(_operations);

    private void Add(OperationType type, int process, long time, IReadOnlyList<MicroOp> microOps) =>
        _operations.Add(new Operation(_operations.Count, type, process, time, microOps));
}
