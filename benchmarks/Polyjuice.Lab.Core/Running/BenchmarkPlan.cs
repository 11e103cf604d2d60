using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Running;

/// <summary>
/// What to measure. The arms are, at every θ: plain grains, every policy under Polyjuice, and Orleans' own engine.
/// </summary>
internal sealed record BenchmarkPlan
{
    /// <summary>What the clients do.</summary>
    public required WorkloadDefinition Workload { get; init; }

    /// <summary>The policies to compare, in order. Empty measures the plain twins alone.</summary>
    public IReadOnlyList<IPolicyCompiler> Policies { get; init; } = [];

    /// <summary>Skews, each at least 0.</summary>
    public IReadOnlyList<double> Thetas { get; init; } = [0];

    /// <summary>The cluster.</summary>
    public ClusterShape Shape { get; init; } = new(2, TimeSpan.Zero, TimeSpan.Zero, null);

    /// <summary>Clients of the closed loop. Default 64.</summary>
    public int Clients { get; init; } = 64;

    /// <summary>
    /// Numbers of clients to compare instead: each is an arm of its own. Empty, the default, is <see cref="Clients"/>
    /// alone.
    /// </summary>
    public IReadOnlyList<int> ClientCounts { get; init; } = [];

    /// <summary>Operations per second of an open loop; <see langword="null"/> for a closed loop.</summary>
    public double? Rate { get; init; }

    /// <summary>How long every arm warms up in every round, unmeasured.</summary>
    public TimeSpan Warmup { get; init; } = TimeSpan.FromSeconds(0.5);

    /// <summary>
    /// How long the arms take turns before the first round at the least, unmeasured, on a cluster of their own: until
    /// the code is compiled as well as it is going to be, for which the just-in-time compiler would otherwise take a
    /// good part of two processors in the first arms. Not when the number of operations is fixed.
    /// </summary>
    public TimeSpan ProcessWarmup { get; init; } = TimeSpan.FromSeconds(4);

    /// <summary>
    /// How long they take turns at the most, if the compiler finds no
    /// end. Default 0: no longer than <see cref="ProcessWarmup"/>.
    /// </summary>
    public TimeSpan ProcessWarmupMax { get; init; }

    /// <summary>How long every arm is measured in every round.</summary>
    public TimeSpan Measured { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Rounds. Each round measures every arm once, on a cluster of its
    /// own, so that slow changes of the machine meet all arms alike.
    /// </summary>
    public int Repeat { get; init; } = 1;

    /// <summary>Ends an interval after this many operations instead of by time, without warm-up. For tests.</summary>
    public long? OperationsPerInterval { get; init; }

    /// <summary>
    /// The engines to compare. Policies are arms of <see cref="BenchmarkEngine.Polyjuice"/> alone. Default: that one.
    /// </summary>
    public IReadOnlyList<BenchmarkEngine> Engines { get; init; } = [BenchmarkEngine.Polyjuice];

    /// <summary>
    /// Whether the workload's plain twins are measured, for the tax. Where it has none,
    /// <see cref="BenchmarkEngine.Plain"/> among the <see cref="Engines"/> measures the same grain code without
    /// transactions (<see cref="PlainStates"/>).
    /// </summary>
    public bool IncludePlain { get; init; } = true;

    /// <summary>The workload's sizes.</summary>
    public WorkloadParameters Parameters { get; init; } = new();

    /// <summary>All choices of clients derive from it. The same choices meet every policy.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>
    /// The arm whose turn it is: rounds begin at different arms, so that none always follows the same other one.
    /// </summary>
    /// <param name="arms">All of them.</param>
    /// <param name="round">From 1.</param>
    /// <param name="turn">Of the round, from 0.</param>
    internal BenchmarkArm ArmOf(IReadOnlyList<BenchmarkArm> arms, int round, int turn) =>
        arms[(turn + ((round - 1) * arms.Count / Repeat)) % arms.Count];
}

/// <summary>One thing to measure.</summary>
/// <param name="Policy">The policy; <see langword="null"/> where the engine is not Polyjuice.</param>
/// <param name="Theta">Skew.</param>
internal sealed record BenchmarkArm(IPolicyCompiler? Policy, double Theta)
{
    /// <summary>What runs transactions. Default: Polyjuice where there is a policy, otherwise nothing.</summary>
    public BenchmarkEngine Engine { get; init; } = Policy is null ? BenchmarkEngine.Plain : BenchmarkEngine.Polyjuice;

    /// <summary>Clients of the closed loop; <see langword="null"/> for as many as the plan says.</summary>
    public int? Clients { get; init; }

    /// <summary>The policy's name, or the engine's.</summary>
    public string Name => Policy is null ? Engine.Name : Engine.IsUngrouped ? $"{Policy.Name} ungrouped" : Policy.Name;

    /// <summary>The same for people, with the number of clients if arms differ by that.</summary>
    public string Label => Reporting.Figures.Clients(Name, Clients);

    /// <summary>The grains to use: plain twins, or transactional ones.</summary>
    public WorkloadVariant Variant { get; init; } = Policy is null
        ? WorkloadVariant.Plain
        : WorkloadVariant.Transactional;

    /// <summary>Whether transactional grains run without isolation, so that no invariant need hold.</summary>
    public bool IsUnprotected => Engine.Kind == BenchmarkEngineKind.Plain && Variant == WorkloadVariant.Transactional;

    /// <summary>
    /// Whether a broken invariant is this project's fault. What
    /// Orleans' own engine leaves behind is shown, and is no verdict.
    /// </summary>
    public bool IsJudged => Engine.Kind != BenchmarkEngineKind.Orleans;
}

/// <summary>One measured interval of one arm.</summary>
/// <param name="Elapsed">Its length.</param>
/// <param name="Committed">Operations acknowledged in it.</param>
/// <param name="Declined">Operations that the application refused.</param>
/// <param name="Aborted">Operations that the system gave up.</param>
/// <param name="InDoubt">Operations of unknown outcome.</param>
/// <param name="NotStarted">Operations of an open loop that were due, but too many were under way already.</param>
/// <param name="Latency">Of the acknowledged operations.</param>
/// <param name="Counters">What the cluster counted.</param>
internal sealed record IntervalSample(
    TimeSpan Elapsed, long Committed, long Declined, long Aborted, long InDoubt, long NotStarted,
    Load.LatencyHistogram Latency, ClusterCounters Counters)
{
    /// <summary>
    /// Operations that a silo turned away because it had as many as it could take; of those nothing has run.
    /// </summary>
    public long Overloaded { get; init; }

    /// <summary>The operations by type, in the order of <see cref="WorkloadDefinition.OperationTypes"/>.</summary>
    public IReadOnlyList<OperationCounts> ByType { get; init; } = [];

    /// <summary>What this process used meanwhile.</summary>
    public ProcessUse Use { get; init; }

    /// <summary>Acknowledged operations a second.</summary>
    public double CommittedPerSecond => Elapsed > TimeSpan.Zero ? Committed / Elapsed.TotalSeconds : 0;
}
