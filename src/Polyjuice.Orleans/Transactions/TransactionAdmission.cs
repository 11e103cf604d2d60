using System.Diagnostics;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Execution;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// Orleans' load shedding and counters, around every transaction that a silo starts, and the silo's own bound on those that are open; and an observer, if there is one.
/// </summary>
internal sealed class TransactionAdmission(
    ITransactionOverloadDetector detector, ITransactionAgentStatistics statistics, OpenTransactions open, ITransactionObserver? observer = null)
{
    /// <summary>Runs a transaction, unless the silo is overloaded.</summary>
    /// <exception cref="OrleansStartTransactionFailedException">It is.</exception>
    public async Task RunAsync(RootRun run, TransactionRequest request, GrainMethod method, Func<CallScope, int, Task> body, CancellationToken cancellationToken)
    {
        if (detector.IsOverloaded())
        {
            statistics.TrackTransactionThrottled();
            throw new OrleansStartTransactionFailedException(new OrleansTransactionOverloadException());
        }

        var entering = open.EnterAsync(request.MayWaitToStart, cancellationToken);
        if (!entering.IsCompletedSuccessfully) request = await AfterWait(entering, request);
        try
        {
            await RunOpenAsync(run, request, method, body, cancellationToken);
        }
        finally
        {
            open.Leave();
        }
    }

    // Its time runs while it waits, because its caller's does.
    private async Task<TransactionRequest> AfterWait(ValueTask entering, TransactionRequest request)
    {
        var since = Stopwatch.GetTimestamp();
        try
        {
            await entering;
        }
        catch (OrleansStartTransactionFailedException)
        {
            statistics.TrackTransactionThrottled();
            throw;
        }

        var waited = (long)Stopwatch.GetElapsedTime(since).TotalMicroseconds;
        return request with
        {
            TimeoutMicroseconds = request.TimeoutMicroseconds > 0 ? Math.Max(1, request.TimeoutMicroseconds - waited) : 0, WaitedMicroseconds = waited,
        };
    }

    private async Task RunOpenAsync(RootRun run, TransactionRequest request, GrainMethod method, Func<CallScope, int, Task> body, CancellationToken cancellationToken)
    {
        statistics.TrackTransactionStarted();
        var observation = run.Observation = observer?.Begin(request.Type);
        try
        {
            await run.RunAsync(request, method, body, cancellationToken);
        }
        catch (Exception exception)
        {
            statistics.TrackTransactionFailed();
            observation?.Ended(exception);
            throw;
        }

        observation?.Ended(null);
        statistics.TrackTransactionSucceeded();
    }
}
