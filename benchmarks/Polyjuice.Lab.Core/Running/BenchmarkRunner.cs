using System.Runtime;
using Orleans.Runtime;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Running;

/// <summary>
/// Measures the arms of a plan in turn, round after round. A round has a cluster of its own for each engine, of which
/// only one is under load at a time; on Polyjuice's the policies are swapped. Rounds begin at different arms, so that
/// no arm always follows the same other one.
/// </summary>
/// <param name="start">Starts a cluster.</param>
/// <param name="observer">Hears how it goes.</param>
internal sealed class BenchmarkRunner(Func<ClusterShape, Task<IBenchmarkCluster>> start, IBenchmarkObserver observer)
{
    /// <summary>An interval that was cut short counts if it was measured for at least this long.</summary>
    private static readonly TimeSpan _usefulInterval = TimeSpan.FromSeconds(0.5);

    /// <summary>
    /// A transaction whose caller has gone ends when its own time is up; beyond this something hangs.
    /// </summary>
    private static readonly TimeSpan _restMax = TimeSpan.FromMinutes(2);

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
            await using var clusters = new RoundClusters(start, plan, observer);
            for (var i = 0; i < arms.Count && !cancellationToken.IsCancellationRequested; i++)
            {
                var arm = plan.ArmOf(arms, round, i);
                observer.ArmStarted(arm, round);
                var (cluster, workload) = await clusters.ForAsync(arm);
                var sample = await IntervalRunner.RunAsync(
                    plan, arm, round, cluster, workload, observer, cancellationToken);
                var check = await CheckAsync(cluster, workload, arm);
                checks.Add((arm, check));
                var isWhole = plan.OperationsPerInterval is not null || !cancellationToken.IsCancellationRequested
                    || sample.Elapsed >= _usefulInterval;
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
        await using var clusters = new RoundClusters(start, plan, observer);
        await CompilerWarmUp.RunAsync(
            async () =>
            {
                foreach (var arm in arms)
                {
                    if (cancellationToken.IsCancellationRequested) return;
                    var (cluster, workload) = await clusters.ForAsync(arm);
                    await IntervalRunner.RunAsync(brief, arm, 0, cluster, workload, silent, cancellationToken);
                }
            },
            plan.ProcessWarmupMax,
            CompilationTime,
            cancellationToken);
    }

    internal static async Task<InvariantCheck> CheckAsync(
        IBenchmarkCluster cluster, IWorkload workload, BenchmarkArm arm)
    {
        if (arm.IsUnprotected) return new InvariantCheck(true, "nothing is checked where grains run without isolation");
        try
        {
            // The books are compared with what is read one after the other, so nothing may go on meanwhile.
            await cluster.AwaitRestAsync().WaitAsync(_restMax);
            InvariantCheck? check = null;
            await cluster.RunOnClientAsync(async () => check = await workload.CheckAsync(cluster.View, arm.Variant));
            return check!;
        }
        catch (Exception e) when (e is TimeoutException or OrleansException)
        {
            // What was measured is still worth showing, but an invariant that can't be checked counts as one that
            // does not hold: nobody knows.
            return new InvariantCheck(false, NotChecked(arm, e));
        }
    }

    private static string NotChecked(BenchmarkArm arm, Exception exception) => exception is TimeoutException
        ? $"NOT CHECKED: {arm.Label} was too slow to be checked, which does not say that anything is wrong "
            + $"({exception.Message})"
        : $"NOT CHECKED under {arm.Label}: {exception.Message}";

    internal static List<BenchmarkArm> ArmsOf(BenchmarkPlan plan)
    {
        var arms = new List<BenchmarkArm>();
        foreach (var clients in plan.ClientCounts) AddArms(plan, clients, arms);
        if (plan.ClientCounts.Count == 0) AddArms(plan, null, arms);
        return arms;
    }

    private static void AddArms(BenchmarkPlan plan, int? clients, List<BenchmarkArm> arms)
    {
        foreach (var theta in plan.Workload.HasSkew ? plan.Thetas : [0])
        {
            if (HasPlainArm(plan))
                Add(new BenchmarkArm(null, theta)
                {
                    Variant = plan.Workload.HasPlainTwins ? WorkloadVariant.Plain : WorkloadVariant.Transactional
                });
            if (!plan.Workload.HasTransactions) continue;
            foreach (var engine in plan.Engines)
            {
                if (engine.Kind == BenchmarkEngineKind.Orleans)
                    Add(new BenchmarkArm(null, theta) { Engine = engine, Variant = WorkloadVariant.Transactional });
                if (engine.Kind != BenchmarkEngineKind.Polyjuice) continue;
                foreach (var policy in plan.Policies) Add(new BenchmarkArm(policy, theta) { Engine = engine });
            }
        }

        void Add(BenchmarkArm arm) => arms.Add(arm with { Clients = clients });
    }

    private static bool HasPlainArm(BenchmarkPlan plan) =>
        !plan.Workload.HasTransactions || plan.Engines.Contains(BenchmarkEngine.Plain)
            || (plan.IncludePlain && plan.Workload.HasPlainTwins);
}

/// <summary>What a benchmark found.</summary>
/// <param name="Plan">What was measured.</param>
/// <param name="Rows">One per arm that was measured.</param>
/// <param name="Checks">Every check of the invariant.</param>
internal sealed record BenchmarkResult(
    BenchmarkPlan Plan, IReadOnlyList<BenchmarkRow> Rows,
    IReadOnlyList<(BenchmarkArm Arm, InvariantCheck Check)> Checks)
{
    /// <summary>The checks that failed.</summary>
    public IReadOnlyList<(BenchmarkArm Arm, InvariantCheck Check)> Broken => [.. Checks.Where(one => !one.Check.Holds)];

    /// <summary>Whether the invariant held every time; see <see cref="BenchmarkArm.IsJudged"/>.</summary>
    public bool InvariantHeld => !Broken.Any(one => one.Arm.IsJudged);
}
