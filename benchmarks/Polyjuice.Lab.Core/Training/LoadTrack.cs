using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tracing;
using Polyjuice.Policies;
using Polyjuice.Training.Races;

namespace Polyjuice.Lab.Training;

/// <summary>
/// Tables race on a cluster that serves a workload of the laboratory: they are swapped in, one after the other.
/// </summary>
/// <param name="load">The cluster, with its clients.</param>
/// <param name="plan">
/// How long an interval is: <see cref="BenchmarkPlan.Measured"/>, after <see cref="BenchmarkPlan.Warmup"/>.
/// </param>
internal sealed class LoadTrack(TraceLoad load, BenchmarkPlan plan) : IRaceTrack
{
    // Rounds by whose numbers clients choose: others than those that were recorded.
    private const int Earlier = 1_000;

    /// <inheritdoc/>
    public async Task<double> MeasureAsync(PolicyDocument table, int round, CancellationToken cancellationToken)
    {
        load.Cluster.Swap(new DocumentPolicy(table));
        var sample = await load.RunAsync(plan, Earlier + round, new SilentObserver(), cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();
        return sample.CommittedPerSecond;
    }
}
