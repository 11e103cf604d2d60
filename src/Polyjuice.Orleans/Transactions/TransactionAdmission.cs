using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Execution;
using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// Orleans' load shedding and counters, around every transaction that a silo starts; and an observer, if there is one.
/// </summary>
internal sealed class TransactionAdmission(
    ITransactionOverloadDetector detector, ITransactionAgentStatistics statistics, ITransactionObserver? observer = null)
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
