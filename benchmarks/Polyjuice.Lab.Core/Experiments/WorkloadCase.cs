using Polyjuice.Contracts;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Experiments;

/// <summary>Measures a workload under one table once, on a cluster of its own, and checks its invariant.</summary>
/// <param name="start">Starts a cluster.</param>
/// <param name="plan">The workload, its sizes, the cluster, and how long.</param>
/// <param name="policy">The table in force at the beginning.</param>
/// <param name="theta">Skew.</param>
internal sealed class WorkloadCase(
    Func<ClusterShape, Task<IBenchmarkCluster>> start, BenchmarkPlan plan, IPolicyCompiler policy, double theta = 0)
{
    private const int WarmupShare = 2;

    /// <summary>Measures it, and gives its figures.</summary>
    /// <param name="round">Names the clients' choices, which are the same for every table.</param>
    /// <param name="cancellationToken">Ends early.</param>
    /// <exception cref="InvalidOperationException">
    /// The workload's invariant does not hold, or operations hang.
    /// </exception>
    public async Task<IReadOnlyDictionary<string, double>> MeasureAsync(
        int round, CancellationToken cancellationToken) =>
        FiguresOf(await RunAsync(round, (_, _) => new SilentObserver(), cancellationToken));

    /// <summary>Measures it, while somebody watches or changes something.</summary>
    /// <param name="round">Names the clients' choices.</param>
    /// <param name="observe">Makes the one who hears, several times a second, how far it is.</param>
    /// <param name="cancellationToken">Ends early.</param>
    /// <exception cref="InvalidOperationException">
    /// The workload's invariant does not hold, or operations hang.
    /// </exception>
    public async Task<IntervalSample> RunAsync(
        int round, Func<IBenchmarkCluster, IWorkload, IBenchmarkObserver> observe, CancellationToken cancellationToken)
    {
        await using var cluster = await start(plan.Shape);
        cluster.Swap(policy);
        var arm = new BenchmarkArm(policy, theta);
        var workload = plan.Workload.Create(plan.Parameters);
        await cluster.RunOnClientAsync(() => workload.LoadAsync(cluster.View, WorkloadVariant.Transactional));
        // The round that warms up the process need not be as long.
        var length = round == 0 ? plan with { Warmup = TimeSpan.Zero, Measured = plan.Measured / WarmupShare } : plan;
        var sample = await IntervalRunner.RunAsync(
            length, arm, round, cluster, workload, observe(cluster, workload), cancellationToken);
        var check = await BenchmarkRunner.CheckAsync(cluster, workload, arm);
        return check.Holds
            ? sample
            : throw new InvalidOperationException($"{plan.Workload.Name} under {policy.Name}: {check.Description}");
    }

    private Dictionary<string, double> FiguresOf(IntervalSample sample)
    {
        var aborts = sample.Counters.AbortsByReason.Where(abort => abort.Key != nameof(AbortReason.UserException))
            .Sum(abort => abort.Value);
        var figures = new Dictionary<string, double>
        {
            ["committed/s"] = sample.CommittedPerSecond,
            ["aborted"] = Math.Min(1, (double)aborts / Math.Max(1, sample.Counters.Attempts)),
            ["p50 ms"] = sample.Latency.Percentile(50).TotalMilliseconds,
            ["p99 ms"] = sample.Latency.Percentile(99).TotalMilliseconds,
            ["failed"] = sample.Aborted + sample.InDoubt,
        };
        foreach (var (type, counts) in plan.Workload.OperationTypes.Zip(sample.ByType))
        {
            figures[$"{type.Name}/s"] = counts[OperationOutcome.Committed] / Math.Max(
                sample.Elapsed.TotalSeconds, 1e-9);
            foreach (var percentile in new[] { 50, 90, 99 })
                figures[$"{type.Name} p{percentile} ms"] = counts.Latency.Percentile(percentile).TotalMilliseconds;
        }

        return figures;
    }
}
