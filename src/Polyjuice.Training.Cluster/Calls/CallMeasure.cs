using Polyjuice.Policies;
using Polyjuice.Training.Calls;

namespace Polyjuice.Training.Cluster.Calls;

/// <summary>
/// Measures a table on a cluster of its own by making recorded calls again. Used by one caller at a time.
/// </summary>
/// <param name="clusters">Starts them.</param>
internal sealed class CallMeasure(TestClusters clusters)
{
    private const int WarmupPart = 4;

    /// <summary>How long calls under way may take to end before their cluster is stopped all the same.</summary>
    private static readonly TimeSpan _endingMax = TimeSpan.FromSeconds(1);

    /// <summary>Measures.</summary>
    /// <param name="table">In force from the start.</param>
    /// <param name="calls">The calls.</param>
    /// <param name="warmup">Calls are made for so long before.</param>
    /// <param name="interval">How long is measured, unless there are no more calls.</param>
    /// <param name="purpose">What it is for, for messages.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ClusterFailedException">The cluster did not start, or did not last.</exception>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public async Task<CallSample> RunAsync(
        PolicyDocument table, PreparedCalls calls, TimeSpan warmup, TimeSpan interval, string purpose,
        CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var where = $"{purpose}, under {table.Name}";
        await using var cluster = await clusters.StartAsync(table, calls.Initial.Copy(), isDelayed: true, purpose)
            .ConfigureAwait(false);
        using var watch = new ClusterWatch(cluster);
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var meter = new IntervalMeter(calls.Calls.Transactions.Length / WarmupPart, TimeProvider.System);
        var replay = new CallReplay(
            calls.Calls, cluster.CallTarget, new CallReplayOptions { Clients = clusters.Options.Clients })
        {
            Ended = meter.Add, RanOut = () => meter.End(),
        };
        var run = Task.Run(() => replay.RunAsync(null, ending.Token), CancellationToken.None);
        var over = Task.WhenAny(run, watch.Ended);
        await Task.WhenAny(over, meter.Begun, meter.Ended, Task.Delay(warmup, ending.Token)).ConfigureAwait(false);
        meter.Begin();
        await Task.WhenAny(over, meter.Ended, Task.Delay(interval, ending.Token)).ConfigureAwait(false);
        var sample = meter.End();
        await ending.CancelAsync().ConfigureAwait(false);
        watch.ThrowIfEnded(where);
        cancellationToken.ThrowIfCancellationRequested();
        await Task.WhenAny(run, Task.Delay(_endingMax, CancellationToken.None)).ConfigureAwait(false);
        if (run.IsCompleted) await watch.WhileItRunsAsync(run, where).ConfigureAwait(false);
        return sample;
    }
}
