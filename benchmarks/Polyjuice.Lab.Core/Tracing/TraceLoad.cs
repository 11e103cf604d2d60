using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Tracing;

/// <summary>A cluster under one arm's load, warmed up, interval after interval.</summary>
internal sealed class TraceLoad : IAsyncDisposable
{
    private readonly BenchmarkArm _arm;
    private readonly IWorkload _workload;
    private readonly IBenchmarkObserver _observer;

    private TraceLoad(ITracingCluster cluster, BenchmarkArm arm, IWorkload workload, IBenchmarkObserver observer)
    {
        Cluster = cluster;
        _arm = arm;
        _workload = workload;
        _observer = observer;
    }

    public ITracingCluster Cluster { get; }

    public IWorkload Workload => _workload;

    /// <summary>
    /// Starts a cluster and loads the workload; warms it up for <see cref="BenchmarkPlan.ProcessWarmup"/>, unless the
    /// number of operations is fixed.
    /// </summary>
    public static async Task<TraceLoad> StartAsync(
        Func<ClusterShape, Task<ITracingCluster>> start, BenchmarkPlan plan, IBenchmarkObserver observer,
        CancellationToken cancellationToken)
    {
        var arm = new BenchmarkArm(plan.Policies[0], plan.Workload.HasSkew ? plan.Thetas[0] : 0);
        observer.Started(plan, [arm]);
        var cluster = await start(plan.Shape);
        try
        {
            cluster.Swap(plan.Policies[0]);
            var workload = plan.Workload.Create(plan.Parameters);
            await cluster.RunOnClientAsync(
                () => workload.LoadAsync(cluster.View with { Progress = observer.Loading }, arm.Variant));
            var load = new TraceLoad(cluster, arm, workload, observer);
            if (plan.OperationsPerInterval is null && plan.ProcessWarmup > TimeSpan.Zero)
            {
                observer.WarmingUp();
                await IntervalRunner.RunAsync(
                    plan with { Warmup = TimeSpan.Zero, Measured = plan.ProcessWarmup }, arm, 0, cluster, workload,
                    new SilentObserver(), cancellationToken);
            }

            return load;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    public Task<IntervalSample> RunAsync(BenchmarkPlan plan, int round, CancellationToken cancellationToken) =>
        RunAsync(plan, round, _observer, cancellationToken);

    /// <summary>The same, and another one hears of it.</summary>
    public Task<IntervalSample> RunAsync(
        BenchmarkPlan plan, int round, IBenchmarkObserver observer, CancellationToken cancellationToken) =>
        IntervalRunner.RunAsync(plan, _arm, round, Cluster, _workload, observer, cancellationToken);

    public Task<InvariantCheck> CheckAsync() => BenchmarkRunner.CheckAsync(Cluster, _workload, _arm);

    public ValueTask DisposeAsync() => Cluster.DisposeAsync();
}
