using System.Runtime;
using Orleans.Runtime;
using Polyjuice.Benchmarking.Clusters;
using Polyjuice.Benchmarking.Load;
using Polyjuice.Benchmarking.Reporting;
using Polyjuice.Benchmarking.Workloads;

namespace Polyjuice.Benchmarking.Running;

/// <summary>
/// Measures the arms of a plan in turn, round after round. A round has a cluster of its own, on which the policies are swapped;
/// rounds begin at different arms, so that no arm always follows the same other one.
/// </summary>
/// <param name="start">Starts a cluster.</param>
/// <param name="observer">Hears how it goes.</param>
public sealed class BenchmarkRunner(Func<ClusterShape, Task<IBenchmarkCluster>> start, IBenchmarkObserver observer)
{
    /// <summary>An interval that was cut short counts if it was measured for at least this long.</summary>
    private static readonly TimeSpan _usefulInterval = TimeSpan.FromSeconds(0.5);

    /// <summary>How long the just-in-time compiler has worked in all.</summary>
    internal Func<TimeSpan> CompilationTime { get; init; } = static () => JitInfo.GetCompilationTime();

    /// <summary>Runs the plan.</summary>
    /// <param name="plan">What to measure.</param>
    /// <param name="cancellationToken">Ends early, with what has been measured.</param>
    /// <exception cref="InvalidOperationException">Operations hang.</exception>
    public async Task<BenchmarkResult> RunAsync(BenchmarkPlan plan, CancellationToken cancellationToken)
    {
        var arms = ArmsOf(plan);
        var samples = arms.ToDictionary(arm => arm, _ => new List<IntervalSample>());
        var checks = new List<(BenchmarkArm, InvariantCheck)>();
        observer.Started(plan, arms);
        await WarmUpAsync(plan, arms, cancellationToken);
        for (var round = 1; round <= plan.Repeat && !cancellationToken.IsCancellationRequested; round++)
        {
            await using var cluster = await start(plan.Shape);
            var loaded = new Dictionary<WorkloadVariant, IWorkload>();
            for (var i = 0; i < arms.Count && !cancellationToken.IsCancellationRequested; i++)
            {
                var arm = plan.ArmOf(arms, round, i);
                if (arm.Policy is not null) cluster.Swap(arm.Policy);
                observer.ArmStarted(arm, round);
                var workload = await LoadAsync(plan, cluster, loaded, arm.Variant);
                var sample = await IntervalRunner.RunAsync(plan, arm, round, cluster, workload, observer, cancellationToken);
                var check = await CheckAsync(cluster, workload, arm);
                checks.Add((arm, check));
                var isWhole = plan.OperationsPerInterval is not null || !cancellationToken.IsCancellationRequested || sample.Elapsed >= _usefulInterval;
                if (isWhole) samples[arm].Add(sample);
                observer.ArmEnded(arm, round, sample, check);
            }
        }

        return new BenchmarkResult(plan, BenchmarkRow.FromSamples(plan, samples), checks);
    }

    private async Task WarmUpAsync(BenchmarkPlan plan, List<BenchmarkArm> arms, CancellationToken cancellationToken)
    {
        if (plan.OperationsPerInterval is not null || plan.ProcessWarmup <= TimeSpan.Zero) return;
        observer.WarmingUp();
        var brief = plan with { Warmup = TimeSpan.Zero, Measured = plan.ProcessWarmup / arms.Count };
        var silent = new SilentObserver();
        await using var cluster = await start(plan.Shape);
        var loaded = new Dictionary<WorkloadVariant, IWorkload>();
        await CompilerWarmUp.RunAsync(
            async () =>
            {
                foreach (var arm in arms)
                {
                    if (cancellationToken.IsCancellationRequested) return;
                    if (arm.Policy is not null) cluster.Swap(arm.Policy);
                    var workload = await LoadAsync(plan, cluster, loaded, arm.Variant);
                    await IntervalRunner.RunAsync(brief, arm, 0, cluster, workload, silent, cancellationToken);
                }
            },
            plan.ProcessWarmupMax,
            CompilationTime,
            cancellationToken);
    }

    private async Task<IWorkload> LoadAsync(
        BenchmarkPlan plan, IBenchmarkCluster cluster, Dictionary<WorkloadVariant, IWorkload> loaded, WorkloadVariant variant)
    {
        if (loaded.TryGetValue(variant, out var workload)) return workload;
        workload = plan.Workload.Create(plan.Parameters);
        await cluster.RunOnClientAsync(() => workload.LoadAsync(cluster.View with { Progress = observer.Loading }, variant));
        loaded.Add(variant, workload);
        return workload;
    }

    internal static async Task<InvariantCheck> CheckAsync(IBenchmarkCluster cluster, IWorkload workload, BenchmarkArm arm)
    {
        try
        {
            InvariantCheck? check = null;
            await cluster.RunOnClientAsync(async () => check = await workload.CheckAsync(cluster.View, arm.Variant));
            return check!;
        }
        catch (Exception e) when (e is TimeoutException or OrleansException)
        {
            // What was measured is still worth showing, but an invariant that can't be checked does not hold.
            return new InvariantCheck(false, "THE INVARIANT COULD NOT BE CHECKED: " + e.Message);
        }
    }

    private static List<BenchmarkArm> ArmsOf(BenchmarkPlan plan)
    {
        var arms = new List<BenchmarkArm>();
        foreach (var theta in plan.Workload.HasSkew ? plan.Thetas : [0])
        {
            if ((plan.IncludePlain && plan.Workload.HasPlainTwins) || !plan.Workload.HasTransactions) arms.Add(new BenchmarkArm(null, theta));
            if (plan.Workload.HasTransactions) arms.AddRange(plan.Policies.Select(policy => new BenchmarkArm(policy, theta)));
        }

        return arms;
    }
}

/// <summary>What a benchmark found.</summary>
/// <param name="Plan">What was measured.</param>
/// <param name="Rows">One per arm that was measured; plain arms have none of their own unless the workload has no transactions.</param>
/// <param name="Checks">Every check of the invariant.</param>
public sealed record BenchmarkResult(BenchmarkPlan Plan, IReadOnlyList<BenchmarkRow> Rows, IReadOnlyList<(BenchmarkArm Arm, InvariantCheck Check)> Checks)
{
    /// <summary>Whether the invariant held every time.</summary>
    public bool InvariantHeld => Checks.All(c => c.Check.Holds);
}
