using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Simulation.Clusters;

/// <summary>What a simulated cluster is made of. Times in microseconds.</summary>
internal sealed record ClusterShape
{
    public int Nodes { get; init; } = 2;

    public int Partitions { get; init; } = 2;

    /// <summary>The first so many nodes own no partition: they are agents only.</summary>
    public int AgentNodes { get; init; }

    public int Accounts { get; init; } = 4;

    /// <summary>Which accounts are kept in rows of their own; <see langword="null"/> when all are in logs.</summary>
    public Func<int, bool>? IsRow { get; init; }

    /// <summary>
    /// Which transactions, by their number, declare what they access (<see cref="Grains.DeclaredSet"/>).
    /// </summary>
    public Func<int, bool> Declares { get; init; } = _ => false;

    /// <summary>
    /// Whether all transactions reserve, and keep to it: then no conflict aborts any while nothing goes wrong.
    /// </summary>
    public bool KeepsToSets { get; init; }

    /// <summary>
    /// Whether a row is served only while somebody wants something of it, as a grain is activated only when it is
    /// called; else it gets a new owner whenever it has none.
    /// </summary>
    public bool RowsSleep { get; init; }

    public long OpeningBalance { get; init; } = 100;

    public EngineOptions Options { get; init; } = FastOptions();

    /// <summary>The policy of each node; they may differ, because mixing tables is safe.</summary>
    public Func<NodeId, IPolicyCompiler> Policy { get; init; } = _ => new FixedPolicy("plain", PolicyActions.None);

    /// <summary>Each node's clock is off by up to this much, either way.</summary>
    public long SkewMax { get; init; }

    /// <summary>A callee's body starts up to this much after its call arrived.</summary>
    public long ThinkMax { get; init; } = 200;

    /// <summary>How long a caller waits for a grain call's answer.</summary>
    public long CallTimeout { get; init; } = 200_000;

    /// <summary>From a crash until the others are told.</summary>
    public long DetectionDelay { get; init; } = 40_000;

    /// <summary>How long a node's view of the owners may be stale.</summary>
    public long DirectoryLag { get; init; } = 5_000;

    /// <summary>
    /// The share of nodes that hear of a new owner at once all the same, so that the views of one moment differ.
    /// </summary>
    public double DirectoryPrompt { get; init; }

    public NetworkProfile Network { get; init; } = new();

    public StorageProfile Storage { get; init; } = new();

    /// <summary>How many appends an owner may have under way at its log.</summary>
    public int AppendsUnderWay { get; init; } = 1;

    /// <summary>
    /// Makes another storage than <see cref="SimulatedLogs"/>, with a random stream of its own and the run's faults to
    /// be counted in; it must have <see cref="Partitions"/> logs.
    /// </summary>
    public Func<EventLoop, SimulationRandom, FaultLedger, ISimulatedStorage>? MakeStorage { get; init; }

    /// <summary>Whether engines are looked into; not where a script makes them do what no cluster would.</summary>
    public bool Monitors { get; init; }

    /// <summary>
    /// Whether the protocol's steps are compared with the specification;
    /// only where engines are looked into, and logs are plain.
    /// </summary>
    public bool Specified { get; init; } = true;

    /// <summary>Of the network's own stream, if it is not the cluster's.</summary>
    public ulong? NetworkSeed { get; init; }

    /// <summary>Of the storage's own stream, if it is not the cluster's.</summary>
    public ulong? StorageSeed { get; init; }

    /// <summary>So many faults happen at the most.</summary>
    public long FaultBudget { get; init; } = long.MaxValue;

    /// <summary>Whether to keep a readable trace; slow.</summary>
    public bool Trace { get; init; }

    /// <summary>
    /// Bounds that fit a network of a tenth of a millisecond, so that recovery takes milliseconds of virtual time.
    /// </summary>
    public static EngineOptions FastOptions() => new()
    {
        TransactionTimeoutMicroseconds = 2_000_000,
        MaxAttempts = 1_000,
        WaitDeadlineMicroseconds = 300_000,
        MaxClockSkewMicroseconds = 50_000,
        CeilingAheadMicroseconds = 20_000,
        ResendMicroseconds = 10_000,
        PrepareTimeoutMicroseconds = 150_000,
        InDoubtTimeoutMicroseconds = 1_000_000,
        ProbeMicroseconds = 5_000,
        TickMicroseconds = 2_000,
        DryRunTimeoutMicroseconds = 20_000,
        ReservationTimeoutMicroseconds = 100_000,
    };
}

/// <summary>One row for every site.</summary>
internal sealed class FixedPolicy(
    string name, PolicyActions actions, ushort wait = PolicyTable.NoWait) : IPolicyCompiler
{
    public string Name => name;

    public PolicyTable Compile(SiteRegistry registry, int version) =>
        new PolicyTableBuilder(registry, name, actions, wait).Build(version);
}
