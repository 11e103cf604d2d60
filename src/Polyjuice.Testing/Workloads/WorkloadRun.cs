using System.Diagnostics;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans;
using Polyjuice.Orleans.Tracing;
using Polyjuice.Tracing;

namespace Polyjuice.Testing;

/// <summary>One run of a workload's clients.</summary>
internal sealed class WorkloadRun(
    WorkloadOptions options, Func<int, WorkloadClient> clientOf, Func<WorkloadClient, Task> one,
    CancellationToken cancellationToken)
{
    private const long DefaultCalls = 1_000;

    private readonly long _calls = options.Calls
        ?? (options.Time is null && options.Commits is null ? DefaultCalls : long.MaxValue);
    private readonly long _began = Stopwatch.GetTimestamp();
    private readonly long[] _counts = new long[Enum.GetValues<CallOutcome>().Length];
    private long _made;
    private volatile bool _hasFailed;

    /// <summary>Runs all clients until a bound is reached, somebody ends it, or a client fails.</summary>
    public async Task<WorkloadResult> RunAsync()
    {
        // On the pool: whoever runs a workload may have a context of its own, which is one thread.
        await Task.WhenAll(
            Enumerable.Range(0, options.Clients)
                .Select(number => Task.Run(() => ClientAsync(clientOf(number)), CancellationToken.None)))
            .ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        return new(
            Count(CallOutcome.Committed),
            Count(CallOutcome.Refused),
            Count(CallOutcome.GivenUp),
            Count(CallOutcome.InDoubt),
            Stopwatch.GetElapsedTime(_began));
    }

    private long Count(CallOutcome outcome) => Volatile.Read(ref _counts[(int)outcome]);

    private async Task ClientAsync(WorkloadClient client)
    {
        while (!_hasFailed && !cancellationToken.IsCancellationRequested && !IsOver()
            && Interlocked.Increment(ref _made) <= _calls)
            Interlocked.Increment(ref _counts[(int)await CallAsync(client).ConfigureAwait(false)]);
    }

    private bool IsOver() =>
        (options.Time is { } time && Stopwatch.GetElapsedTime(_began) >= time)
            || (options.Commits is { } commits && Count(CallOutcome.Committed) >= commits);

    private async Task<CallOutcome> CallAsync(WorkloadClient client)
    {
        try
        {
            await one(client).ConfigureAwait(false);
            return CallOutcome.Committed;
        }
        catch (Exception exception)
        {
            var outcome = CallOutcomes.Of(exception);
            if (outcome != CallOutcome.Refused || exception is OrleansTransactionAbortedException) return outcome;

            // Not the end of a transaction, but a mistake in the workload or in a grain: not to be counted away.
            _hasFailed = true;
            throw;
        }
    }
}
