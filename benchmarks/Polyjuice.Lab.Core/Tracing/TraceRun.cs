using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Tracing;

namespace Polyjuice.Lab.Tracing;

/// <summary>Runs a workload and records it.</summary>
/// <param name="start">Starts the cluster.</param>
/// <param name="observer">Hears how it goes.</param>
internal sealed class TraceRun(Func<ClusterShape, Task<ITracingCluster>> start, IBenchmarkObserver observer)
{
    /// <summary>
    /// Runs the plan's first policy at its first θ for one interval, and records all of that but the warm-up.
    /// </summary>
    /// <param name="plan">What to run.</param>
    /// <param name="options">How to record.</param>
    /// <param name="sink">Where to.</param>
    /// <param name="cancellationToken">Ends early, with what has been recorded.</param>
    public async Task<TraceRunResult> RecordAsync(
        BenchmarkPlan plan, TraceRecorderOptions options, ITraceSink sink, CancellationToken cancellationToken)
    {
        await using var load = await TraceLoad.StartAsync(start, plan, observer, cancellationToken);
        load.Cluster.StartTrace(options, sink);
        var sample = await load.RunAsync(plan with { Warmup = TimeSpan.Zero }, round: 1, cancellationToken);
        var counts = await load.Cluster.StopTraceAsync();
        return new TraceRunResult(sample, counts, await load.CheckAsync());
    }
}

/// <summary>What <see cref="TraceRun"/> did.</summary>
/// <param name="Sample">How fast it was.</param>
/// <param name="Counts">What was recorded.</param>
/// <param name="Check">Whether the workload's invariant held.</param>
internal sealed record TraceRunResult(IntervalSample Sample, TraceCounts Counts, InvariantCheck Check);
