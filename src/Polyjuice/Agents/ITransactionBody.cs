namespace Polyjuice.Agents;

/// <summary>
/// What a host has the engine run as one transaction. One object and no task,
/// because it is made for every transaction. Called on the engine's turn.
/// </summary>
internal interface ITransactionBody
{
    /// <summary>
    /// Runs the body, on arguments that no other run has seen. Called again
    /// for each further attempt, and where a resumed attempt runs it again.
    /// </summary>
    /// <param name="frame">The run's ambient context.</param>
    /// <returns>
    /// The run; it completes on the engine's turn, or is brought back
    /// there by the current <see cref="SynchronizationContext"/>.
    /// </returns>
    Task RunAsync(CallFrame frame);

    /// <summary>
    /// The same, of a host that says itself when the run has ended: by <see cref="BodyWatch.RunEnded"/>, on the turn.
    /// It saves the task. What it runs has to look for the frame's activity itself.
    /// </summary>
    /// <param name="frame">The run's ambient context.</param>
    /// <returns>
    /// Who is told; <see langword="null"/>, and so by default, if <see cref="RunAsync"/> is to be called instead.
    /// </returns>
    BodyWatch? Run(CallFrame frame) => null;

    /// <summary>
    /// The task that <see cref="RunAsync"/> returned has completed, however late: the engine may have given up on the
    /// run long before, and even have said <see cref="Completed"/>. Once for each run that did not throw instead of
    /// returning a task.
    /// </summary>
    /// <param name="frame">The run's.</param>
    void RunEnded(CallFrame frame);

    /// <summary>The transaction has ended. Once, last but for runs that nobody waits for any more.</summary>
    /// <param name="failure">
    /// <see langword="null"/> when it is committed and durable; otherwise what
    /// <see cref="Contracts.IAbortExceptionFactory"/> made.
    /// </param>
    void Completed(Exception? failure);

    /// <summary>
    /// When somebody began to wait for it, on the host's clock, in microseconds: before it could begin, it may have
    /// waited for its turn. 0, and so by default, if that is when it begins. Asked for once, before all else.
    /// </summary>
    long WaitedForSince => 0;

    /// <summary>
    /// The grain call that it is of, for traces of calls; <see langword="null"/>, and so by default, if it is none.
    /// Asked for before <see cref="Completed"/>, if calls are recorded.
    /// </summary>
    IRootCall? Call => null;
}
