using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Running;

/// <summary>The clusters of one round: one for each engine, started and loaded when an arm needs it first.</summary>
internal sealed class RoundClusters(
    Func<ClusterShape, Task<IBenchmarkCluster>> start, BenchmarkPlan plan,
    IBenchmarkObserver observer) : IAsyncDisposable
{
    private readonly Dictionary<BenchmarkEngine, IBenchmarkCluster> _clusters = [];
    private readonly Dictionary<(BenchmarkEngine, WorkloadVariant), IWorkload> _loaded = [];

    /// <summary>The cluster of an arm, with the arm's policy in force and the workload's states made.</summary>
    public async Task<(IBenchmarkCluster Cluster, IWorkload Workload)> ForAsync(BenchmarkArm arm)
    {
        if (!_clusters.TryGetValue(arm.Engine, out var cluster))
            _clusters.Add(arm.Engine, cluster = await start(plan.Shape with { Engine = arm.Engine }));
        if (arm.Policy is not null) cluster.Swap(arm.Policy);
        if (_loaded.TryGetValue((arm.Engine, arm.Variant), out var workload)) return (cluster, workload);
        workload = plan.Workload.Create(plan.Parameters);
        await cluster.RunOnClientAsync(
            () => workload.LoadAsync(cluster.View with { Progress = observer.Loading }, arm.Variant));
        _loaded.Add((arm.Engine, arm.Variant), workload);
        return (cluster, workload);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var cluster in _clusters.Values) await cluster.DisposeAsync();
    }
}
