using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// Orleans' load shedding and counters, around every transaction that a silo starts, and the silo's own bound on those
/// that are open; and an observer, if there is one.
/// </summary>
internal sealed class TransactionAdmission(
    ITransactionOverloadDetector detector,
    ITransactionAgentStatistics statistics,
    OpenTransactions open,
    Refusals refusals,
    ITransactionObserver? observer = null)
{
    /// <summary>Asks for a transaction to begin. Nothing is to be made ready for it before: many may wait.</summary>
    /// <param name="mayWait">Whether it may be told to wait.</param>
    /// <param name="since">Since when it is wanted (<see cref="CallAge"/>).</param>
    /// <param name="cancellationToken">Its caller waits no longer.</param>
    /// <returns>
    /// For how long it has waited, if it may begin; then <see cref="Leave"/> must follow. <see langword="null"/> if
    /// not: the silo is overloaded.
    /// </returns>
    public ValueTask<TimeSpan?> EnterAsync(bool mayWait, long since, CancellationToken cancellationToken) =>
        detector.IsOverloaded() ? new((TimeSpan?)null) : open.EnterAsync(mayWait, since, cancellationToken);

    /// <summary>A transaction that was let begin has ended.</summary>
    /// <param name="mayWait">As when it asked.</param>
    public void Leave(bool mayWait) => open.Leave(mayWait);

    /// <summary>What the caller is told of a transaction that must not begin.</summary>
    public OrleansStartTransactionFailedException Overloaded()
    {
        statistics.TrackTransactionThrottled();
        refusals.Add();
        return Overload();
    }

    /// <summary>The same where it was to be called from.</summary>
    public static OrleansStartTransactionFailedException Overload() => new(new OrleansTransactionOverloadException());

    /// <summary>Runs a transaction that was let begin.</summary>
    /// <param name="run">It.</param>
    /// <param name="request">Type and bounds.</param>
    /// <param name="waited">How long it has waited: its time has been running, because its caller's has.</param>
    /// <param name="method">The root method.</param>
    /// <param name="cancellationToken">Aborts it, unless it has gone too far.</param>
    /// <remarks>To be awaited once. It completes where the run does.</remarks>
    public ValueTask RunAsync(
        RootRun run,
        TransactionRequest request,
        TimeSpan waited,
        GrainMethod method,
        CancellationToken cancellationToken)
    {
        if (waited > TimeSpan.Zero) request = After(request, (long)waited.TotalMicroseconds);
        statistics.TrackTransactionStarted();
        run.Observation = observer?.Begin(request.Type);
        return run.RunAsync(this, request, method, cancellationToken);
    }

    /// <summary>A transaction that was run has ended.</summary>
    /// <param name="observation">The observer's, if there is one.</param>
    /// <param name="failure">Why it has not committed, if it has not.</param>
    public void Ended(ITransactionObservation? observation, Exception? failure)
    {
        observation?.Ended(failure);
        if (failure is null) statistics.TrackTransactionSucceeded();
        else statistics.TrackTransactionFailed();
    }

    private static TransactionRequest After(TransactionRequest request, long waited)
    {
        var timeout = request.TimeoutMicroseconds;
        return request with
        {
            TimeoutMicroseconds = timeout > 0 ? Math.Max(1, timeout - waited) : 0, WaitedMicroseconds = waited,
        };
    }
}
