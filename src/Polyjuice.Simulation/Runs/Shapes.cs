using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Simulation.Runs;

/// <summary>
/// Families of random runs. The standard one is a load under faults; the others are small and hard, because a rare
/// interleaving is found sooner in many small runs than in a few large ones.
/// </summary>
internal static class Shapes
{
    /// <summary>At least 8 clients, 200 transactions and 5 faults.</summary>
    public const string Standard = "standard";

    /// <summary>3 to 16 transactions on 1 to 6 grains, under everything.</summary>
    public const string Small = "small";

    /// <summary>3 to 9 transactions on 1 to 4 grains, each run with extremes of its own.</summary>
    public const string Hostile = "hostile";

    /// <summary>Deposed owners that do not know.</summary>
    public const string Stale = "stale";

    /// <summary>Lost outcomes and deposed owners.</summary>
    public const string Torn = "torn";

    /// <summary>Agents, owners and spares apart.</summary>
    public const string Apart = "apart";

    /// <summary>Partitions that move all the time.</summary>
    public const string Moving = "moving";

    /// <summary>Commits that hang.</summary>
    public const string Hanging = "hanging";

    /// <summary>Transactions with a final step.</summary>
    public const string Deciding = "deciding";

    /// <summary>Faults right after steps of the commit protocol.</summary>
    public const string Aimed = "aimed";

    /// <summary>Silos that are taken for dead, and live.</summary>
    public const string Mistaken = "mistaken";

    /// <summary>No faults, and few grains.</summary>
    public const string Calm = "calm";

    /// <summary>Reservations that hold.</summary>
    public const string Reserving = "reserving";

    /// <summary>One of the small and hard ones, drawn from the seed.</summary>
    public const string Any = "any";

    /// <summary>Two clients with long pauses.</summary>
    public const string Light = "light";

    private static readonly (string Name, string Summary, Func<RunCase, SimulationRandom, RunShape> Make)[] All =
    [
        (Standard, "8 to 16 clients, 200 transactions and more, at least 5 faults", MakeStandard),
        (Small, "3 to 16 transactions on 1 to 6 grains, under everything", MakeSmall),
        (Hostile,
            "3 to 9 transactions on 1 to 4 grains; each run takes some of: heavy loss, strays, slow storage, short "
            + "time-outs, rival owners that nobody hears of, far clocks",
            HostileShape.Make),
        (Stale, "owners that were deposed and do not know, and are read from", OwnerShapes.Stale),
        (Torn, "lost votes and outcomes, and owners that were deposed and do not know", OwnerShapes.Torn),
        (Apart, "agents, owners and spare silos apart, so that deposed owners stay unaware", OwnerShapes.Apart),
        (Moving, "partitions that move in the middle of long bodies", OwnerShapes.Moving),
        (Hanging, "commits that hang while clocks are apart", OwnerShapes.Hanging),
        (Deciding, "transactions whose commits ask a service that cannot prepare, last of all", MakeDeciding),
        (Aimed,
            "faults that strike right after a step of the commit protocol: a message handled, or a record written, "
            + "that nobody has heard of",
            AimedShape.Make),
        (Mistaken, "silos that are declared dead, come back, and take back what was theirs", OwnerShapes.Mistaken),
        (Calm, "no faults and few grains: waits, early validation, resumed bodies", OwnerShapes.Calm),
        (Reserving,
            "transactions that reserve all that they access, on few grains; lost and doubled messages now and then",
            OwnerShapes.Reserving),
        (Light, "2 clients with long pauses: for the speed of virtual time", MakeLight),
    ];

    /// <summary>All names, with what they stand for.</summary>
    public static IEnumerable<(string Name, string Summary)> Names =>
        All.Select(s => (s.Name, s.Summary)).Prepend((Any, $"any but {Standard} and {Light}"));

    /// <summary>The small and hard ones, which hunts draw from.</summary>
    public static IReadOnlyList<string> Hard { get; } =
    [
        Small, Hostile, Stale, Torn, Apart, Moving, Hanging, Deciding, Aimed, Calm, Reserving, Mistaken
    ];

    /// <summary>Refuses a name that is none.</summary>
    /// <exception cref="ArgumentException">There is no such shape; the message lists those that are.</exception>
    public static void Require(string name)
    {
        if (!name.Equals(Any, StringComparison.OrdinalIgnoreCase)) Find(name);
    }

    /// <summary>The families that a hunt draws from: one, or those of <see cref="Any"/>.</summary>
    public static IReadOnlyList<string> Families(string name) =>
        name.Equals(Any, StringComparison.OrdinalIgnoreCase) ? Hard : [name];

    private static int Find(string name)
    {
        var found = Array.FindIndex(All, s => s.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
        return found >= 0
            ? found
            : throw new ArgumentException(
                $"'{name}' is no shape; there are {string.Join(", ", Names.Select(s => s.Name))}.");
    }

    /// <summary>What a run of the case is like.</summary>
    /// <exception cref="ArgumentException">There is no such shape; the message lists those that are.</exception>
    internal static RunShape Of(RunCase run, bool trace)
    {
        var families = Families(run.Shape);
        run = run with
        {
            Shape = families.Count == 1
                ? families[0]
                : families[(int)(SimulationRandom.Mix(run.Seed ^ 0xA27) % (ulong)families.Count)]
        };
        var shape = All[Find(run.Shape)].Make(run, new SimulationRandom(SimulationRandom.Mix(run.Seed) ^ 0x5BD1E995));
        var partitions = run.Partitions ?? shape.Cluster.Partitions;
        shape.Cluster.Options.Breaks = run.Breaks;

        // Every fifth run has agents whose transactions wait for each other to start.
        if (run.Seed % 5 == 0) shape.Cluster.Options.AttemptsMax = 1 + (int)(run.Seed / 5 % 3);

        // Most runs commit by prepares where they can; and what nobody waits for lingers for longer or shorter.
        shape.Cluster.Options.StagesCommits = run.Seed % 7 is not (0 or 3);
        shape.Cluster.Options.LogLingerMicroseconds = (run.Seed % 11) switch
        {
            0 => 0, 1 => 50_000, 2 => 1, _ => shape.Cluster.Options.LogLingerMicroseconds
        };

        // New owners say so, in some runs: elsewhere those who wait
        // find out by themselves, as they must where the word is lost.
        shape.Cluster.Options.AnnouncesTakeOvers = run.Seed % 13 < 5;

        // Appends take less time than anybody's disk, and are gathered all the same, in most runs.
        shape.Cluster.Options.GatherAppendsFromMicroseconds = run.Seed % 5 < 3 ? 100 : 0;

        // Runs are too short for types to prove themselves.
        (shape.Cluster.Options.LearnsAccessSets, shape.Cluster.Options.AccessSetsToTrust) =
            (run.Seed % 2 == 0, (run.Seed % 3) switch { 0 => 32, 1 => 4, _ => 1 });
        shape.Cluster.Options.HandOnAfterKept = (run.Seed % 4) switch { 0 => 32, 1 => 2, _ => 0 };
        return shape with
        {
            Aims = run.Aims,
            Streams = run.Streams,
            Probes = run.Probes,
            Load = shape.Load with { Kind = run.Workload ?? shape.Load.Kind },
            Clients = shape.Clients == 0 ? 0 : run.Clients ?? shape.Clients,
            Transactions = run.Transactions ?? shape.Transactions,
            Cluster = shape.Cluster with
            {
                Nodes = run.Silos ?? shape.Cluster.Nodes,
                AgentNodes = Math.Min(shape.Cluster.AgentNodes, (run.Silos ?? shape.Cluster.Nodes) - 1),
                Partitions = partitions,
                Accounts = Math.Max(partitions, run.Keys ?? shape.Cluster.Accounts),
                Policy = PolicyOf(run),

                // Half of the transactions declare what they access, and so are not run dry where they reserve.
                Declares = id => (SimulationRandom.Mix(run.Seed + (ulong)id) & 1) != 0,
                FaultBudget = run.FaultBudget,

                // One append at a time, as in blobs; or two, as in files; or more.
                AppendsUnderWay = 1 + (int)(run.Seed / 3 % 3),
                Monitors = true,
                Specified = run.Specified,
                Trace = trace,
            },
        };
    }

    private static Func<NodeId, IPolicyCompiler> PolicyOf(RunCase run)
    {
        if (run.Policy is { } policy) return _ => policy;

        if (run.Shape == Reserving)
            return _ => AdmissionPolicy.Of(
                PolicyAdmission.DryRunReserve, run.Seed % 2 == 0 ? PolicyActions.None : PolicyActions.ReadDirty);

        // Every third run mixes tables.
        var seed = SimulationRandom.Mix(run.Streams.Policies ?? run.Seed);
        double? early = run.Shape == Calm && run.Seed % 2 == 0 ? 1 : null;
        return node => new RandomPolicy(seed + (run.Seed % 3 == 0 ? (ulong)node.Value : 0), early);
    }

    private static RunShape MakeStandard(RunCase run, SimulationRandom random)
    {
        var kinds = run.Faults;
        double Rate(FaultKinds of, double most) => (kinds & of) != 0 ? most * (0.2 + (0.8 * random.NextDouble())) : 0;
        var strikes = FaultKinds.Crash | FaultKinds.CrashMidBatch | FaultKinds.Partition | FaultKinds.OneWayPartition
            | FaultKinds.SlowSilo | FaultKinds.RivalOwner;
        var skew = (kinds & FaultKinds.AllClock) != 0 && random.Chance((kinds & ~FaultKinds.AllClock) == 0 ? 1 : 0.5)
            ? random.Between(1_000, 20_000)
            : 0;
        if (skew > 0) strikes |= FaultKinds.ClockJump;
        if (random.Chance(0.2)) strikes |= FaultKinds.Outage;
        var wild = random.Chance(0.15) ? 1 : 0;
        if (wild > 0) strikes |= FaultKinds.WildClock;
        return new RunShape
        {
            Cluster = new ClusterShape
            {
                Nodes = 2 + random.Next(3),
                AgentNodes = wild,
                Partitions = 2 + random.Next(4),
                Accounts = 16 + random.Next(25),
                SkewMax = skew,
                ThinkMax = random.Next(3) * 100,
                Network = Networks(random, 600, Rate, 0.02),
                Storage = Storages(random, 1_500, Rate, 0.04),
            },
            Faults = new FaultProfile { StrikeKinds = strikes & kinds, Strikes = 5 + random.Next(6), CrashesMax = 12 },
            Load = new LoadShape
            {
                Kind = WorkloadKind.ListAppend, ReadOnlyShare = 0.3 * random.NextDouble(),
                UserExceptions = random.Chance(0.5) ? random.NextDouble() * 0.3 : 0,
                HotShareMax = 0.2, DepthMax = 2, WidthMax = 2,
                FinalSteps = run.Seed % 4 == 0 ? 0.2 : 0,
            },
            Clients = 8 + random.Next(9),
            Transactions = 200 + random.Next(41),
            Swaps = random.Chance(0.3),
        };
    }

    private static RunShape MakeDeciding(RunCase run, SimulationRandom random)
    {
        var shape = random.Chance(0.5) ? MakeSmall(run, random) : HostileShape.Make(run, random);
        return shape with { Load = shape.Load with { FinalSteps = 0.6 } };
    }

    private static RunShape MakeLight(RunCase run, SimulationRandom random) => new()
    {
        Cluster = new ClusterShape { Nodes = 2, Partitions = 2, Accounts = 8 },
        Load = new LoadShape { Kind = WorkloadKind.ListAppend, DepthMax = 1, WidthMax = 2 },
        Clients = 2,
        Transactions = 60,
        PauseMax = 1_000_000,
        FaultyMax = 600_000_000,
    };

    private static RunShape MakeSmall(RunCase run, SimulationRandom random)
    {
        var kinds = run.Faults;
        var partitions = 1 + random.Next(3);
        var skew = (kinds & FaultKinds.AllClock) != 0 && random.Chance(0.6) ? random.Between(1, 20_000) : 0;

        // Events are about 20 µs apart: these rates give from none to a handful of faults in a run.
        double Rate(FaultKinds of, double most) =>
            (kinds & of) != 0 && random.Chance(0.75) ? random.NextDouble() * most : 0;
        return new RunShape
        {
            Cluster = new ClusterShape
            {
                Nodes = 1 + random.Next(4),
                Partitions = partitions,
                Accounts = Math.Max(partitions, 1 + random.Next(6)),
                SkewMax = skew,
                ThinkMax = random.Next(3) * 200,
                Network = Networks(random, 2_000, Rate, 0.1),
                Storage = Storages(random, 4_000, Rate, 0.1),
            },
            Faults = new FaultProfile
            {
                Crash = Rate(FaultKinds.Crash, 0.003),
                CrashMidBatch = Rate(FaultKinds.CrashMidBatch, 0.01),
                Outage = Rate(FaultKinds.Outage, 0.0003),
                SlowSilo = Rate(FaultKinds.SlowSilo, 0.002),
                RivalOwner = Rate(FaultKinds.RivalOwner, 0.004),
                Partition = Rate(FaultKinds.Partition, 0.002),
                OneWayPartition = Rate(FaultKinds.OneWayPartition, 0.002),
                ClockJump = skew > 0 ? Rate(FaultKinds.ClockJump, 0.002) : 0,
            },
            Load = new LoadShape
            {
                ReadOnlyShare = 0.35 * random.NextDouble(),
                UserExceptions = random.Chance(0.5) ? random.NextDouble() * 0.6 : 0
            },
            Transactions = 3 + random.Next(14),
            ArrivalWindow = random.Between(5_000, 40_000),
            Swaps = random.Chance(0.3),
        };
    }

    private static NetworkProfile Networks(
        SimulationRandom random, long delayMax, Func<FaultKinds, double, double> rate, double most) => new()
    {
        DelayMax = random.Between(150, delayMax),
        Loss = rate(FaultKinds.Loss, most),
        Duplication = rate(FaultKinds.Duplication, most * 1.5),
        Stray = rate(FaultKinds.Delay, most * 1.5),
    };

    private static StorageProfile Storages(
        SimulationRandom random, long delayMax, Func<FaultKinds, double, double> rate, double most) => new()
    {
        DelayMax = random.Between(300, delayMax),
        ErrorBefore = rate(FaultKinds.ErrorBeforeWrite, most),
        ErrorAfter = rate(FaultKinds.ErrorAfterWrite, most),
        LateWrite = rate(FaultKinds.LateWrite, most),
        ReadError = rate(FaultKinds.ReadError, most),
        Slow = rate(FaultKinds.SlowStorage, most * 2),
    };
}
