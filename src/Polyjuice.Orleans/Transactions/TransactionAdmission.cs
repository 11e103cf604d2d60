using System.Diagnostics;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Execution;
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
    ITransactionObserver? observer = null)
{
    /// <summary>Runs a transaction, unless the silo is overloaded.</summary>
    /// <exception cref="OrleansStartTransactionFailedException">It is.</exception>
    public async Task RunAsync(
        RootRun run,
        TransactionRequest request,
        GrainMethod method,
        Func<CallScope, int, Task> body,
        CancellationToken cancellationToken)
    {
        if (detector.IsOverloaded()) throw Overloaded();
        var entering = open.EnterAsync(request.MayWaitToStart, request.SinceMicroseconds, cancellationToken);
        if (!entering.IsCompleted) request = await AfterWait(entering, request);
        else if (!entering.Result) throw Overloaded();
        try
        {
            await RunOpenAsync(run, request, method, body, cancellationToken);
        }
        finally
        {
            open.Leave(request.MayWaitToStart);
        }
    }

    // Its time runs while it waits, because its caller's does.
    private async Task<TransactionRequest> AfterWait(ValueTask<bool> entering, TransactionRequest request)
    {
        var since = Stopwatch.GetTimestamp();
        if (!await entering) throw Overloaded();
        var waited = (long)Stopwatch.GetElapsedTime(since).TotalMicroseconds;
        var timeout = request.TimeoutMicroseconds;
        return request with
        {
            TimeoutMicroseconds = timeout > 0 ? Math.Max(1, timeout - waited) : 0, WaitedMicroseconds = waited,
        };
    }

    private OrleansStartTransactionFailedException Overloaded()
    {
        statistics.TrackTransactionThrottled();
        return new(new OrleansTransactionOverloadException());
    }

    private async Task RunOpenAsync(
        RootRun run,
        TransactionRequest request,
        GrainMethod method,
        Func<CallScope, int, Task> body,
        CancellationToken cancellationToken)
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
