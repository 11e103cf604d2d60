using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Simulation.Runs;

/// <summary>Runs about owners of partitions: who is one, and who still thinks so.</summary>
internal static class OwnerShapes
{
    /// <summary>
    /// A partition gets another owner while the old one lives, and most nodes go on calling the old one, which finds
    /// out from its next append. Mostly reads, because those need none.
    /// </summary>
    public static RunShape Stale(RunCase run, SimulationRandom random)
    {
        double Rate(FaultKinds of, double most) =>
            (run.Faults & of) != 0 && random.Chance(0.5) ? random.NextDouble() * most : 0;
        var partitions = 1 + random.Next(3);
        var options = ClusterShape.FastOptions();
        options.CeilingAheadMicroseconds = random.Pick([1_500L, 4_000L]);
        options.ResendMicroseconds = random.Pick([3_000L, 10_000L]);
        options.PrepareTimeoutMicroseconds = random.Pick([20_000L, 100_000L]);
        return new RunShape
        {
            Cluster = new ClusterShape
            {
                Nodes = 3 + random.Next(2),
                Partitions = partitions,
                Accounts = Math.Max(partitions, 1 + random.Next(3)),
                ThinkMax = 0,
                DirectoryLag = 200_000,
                Options = options,
                Network = new NetworkProfile
                {
                    DelayMax = 200,
                    Loss = Rate(FaultKinds.Loss, 0.3),
                    Stray = Rate(FaultKinds.Delay, 0.3),
                    StrayDelay = 30_000
                },
                Storage = new StorageProfile
                {
                    DelayMin = 50, DelayMax = 300, Slow = Rate(FaultKinds.SlowStorage, 0.5)
                },
            },
            Faults = new FaultProfile
            {
                RivalOwner = Rate(FaultKinds.RivalOwner, 0.004),
                StrikeKinds = FaultKinds.RivalOwner & run.Faults,
                Strikes = 1 + random.Next(3)
            },
            Load = new LoadShape
            {
                ReadOnlyShare = random.Pick([0.3, 0.7]),
                HotShareMax = 0.5,
                DepthMax = 1,
                WidthMax = 1 + random.Next(3)
            },
            Transactions = 4 + random.Next(9),
            ArrivalWindow = random.Between(20_000, 80_000),
        };
    }

    /// <summary>
    /// Two-phase commits whose votes and outcomes are lost, while their partitions get other owners of which few hear:
    /// the old ones go on with what they had begun.
    /// </summary>
    public static RunShape Torn(RunCase run, SimulationRandom random)
    {
        double Rate(FaultKinds of, double least, double most) =>
            (run.Faults & of) != 0 ? least + (random.NextDouble() * (most - least)) : 0;
        var partitions = 2 + random.Next(2);
        var options = ClusterShape.FastOptions();
        options.PrepareTimeoutMicroseconds = random.Pick([12_000L, 20_000L]);
        options.ResendMicroseconds = random.Pick([2_000L, 5_000L]);
        options.TransactionTimeoutMicroseconds = 100_000;
        options.CeilingAheadMicroseconds = random.Pick([2_000L, 30_000L]);
        return new RunShape
        {
            Cluster = new ClusterShape
            {
                Nodes = 3 + random.Next(2),
                Partitions = partitions,
                Accounts = partitions,
                ThinkMax = 0,
                DirectoryLag = 200_000,
                Options = options,
                Network = new NetworkProfile
                {
                    DelayMax = 300,
                    Loss = Rate(FaultKinds.Loss, 0.1, 0.4),
                    Stray = random.Chance(0.5) ? Rate(FaultKinds.Delay, 0.1, 0.5) : 0,
                    StrayDelay = random.Pick([5_000L, 40_000L])
                },
                Storage = new StorageProfile
                {
                    DelayMin = 50,
                    DelayMax = 500,
                    Slow = random.Chance(0.6) ? Rate(FaultKinds.SlowStorage, 0.1, 0.7) : 0,
                    SlowDelay = random.Pick([8_000L, 40_000L])
                },
            },
            Faults = new FaultProfile
            {
                RivalOwner = Rate(FaultKinds.RivalOwner, 0, 0.006), StrikeKinds = FaultKinds.RivalOwner & run.Faults,
                Strikes = 1 + random.Next(3), Crash = random.Chance(0.3) ? Rate(FaultKinds.Crash, 0, 0.002) : 0,
            },
            Load = new LoadShape
            {
                ReadOnlyShare = random.Pick([0, 0.4]), HotShareMax = 0.3, DepthMax = 1, WidthMax = 2 + random.Next(2)
            },
            Transactions = 3 + random.Next(5),
            ArrivalWindow = random.Between(20_000, 80_000),
        };
    }

    /// <summary>
    /// Agents, owners and spare silos on silos of their own, so that nothing that a silo hears as one tells it what it
    /// should know as another: a deposed owner stays unaware for long. In some runs half of them hear at once who owns
    /// what, and the others call the deposed one.
    /// </summary>
    public static RunShape Apart(RunCase run, SimulationRandom random)
    {
        double Rate(FaultKinds of, double most) =>
            (run.Faults & of) != 0 && random.Chance(0.4) ? random.NextDouble() * most : 0;
        var partitions = 2 + random.Next(2);
        var options = ClusterShape.FastOptions();
        options.CeilingAheadMicroseconds = random.Pick([1_000L, 4_000L, 60_000L]);
        options.ResendMicroseconds = random.Pick([5_000L, 10_000L, 20_000L]);
        options.PrepareTimeoutMicroseconds = random.Pick([20_000L, 150_000L]);
        return new RunShape
        {
            Cluster = new ClusterShape
            {
                Nodes = partitions + 3 + random.Next(2),
                AgentNodes = 2,
                Partitions = partitions,
                Accounts = partitions + random.Next(2),
                ThinkMax = 0,
                DirectoryLag = 200_000,
                DirectoryPrompt = random.Pick([0, 0.5]),
                Options = options,
                Network = new NetworkProfile
                {
                    DelayMax = 200,
                    Loss = Rate(FaultKinds.Loss, 0.3),
                    Stray = Rate(FaultKinds.Delay, 0.3),
                    StrayDelay = random.Pick([5_000L, 30_000L])
                },
                Storage = new StorageProfile
                {
                    DelayMin = 50,
                    DelayMax = 200,
                    Slow = Rate(FaultKinds.SlowStorage, 0.5),
                    SlowDelay = random.Pick([5_000L, 30_000L])
                },
            },
            Faults = new FaultProfile
            {
                StrikeKinds = FaultKinds.RivalOwner & run.Faults, Strikes = 1 + random.Next(3),
                Crash = Rate(FaultKinds.Crash, 0.0005), CrashesMax = 1,
            },
            Load = new LoadShape
            {
                ReadOnlyShare = random.Pick([0, 0.3]), HotShareMax = 0.3, DepthMax = 1, WidthMax = 1 + random.Next(3)
            },
            Transactions = 5 + random.Next(8),
            ArrivalWindow = random.Between(20_000, 80_000),
        };
    }

    /// <summary>
    /// Partitions move all the time, in the middle of bodies that take long; everybody hears of it soon.
    /// </summary>
    public static RunShape Moving(RunCase run, SimulationRandom random)
    {
        double Rate(FaultKinds of, double most) =>
            (run.Faults & of) != 0 && random.Chance(0.5) ? random.NextDouble() * most : 0;
        var partitions = 1 + random.Next(2);
        var options = ClusterShape.FastOptions();
        options.CeilingAheadMicroseconds = 1_500;
        return new RunShape
        {
            Cluster = new ClusterShape
            {
                Nodes = 3,
                Partitions = partitions,
                Accounts = partitions + 1 + random.Next(3),
                ThinkMax = random.Pick([1_000L, 6_000L]),
                DirectoryLag = random.Pick([0L, 1_000L]),
                Options = options,
                Network = new NetworkProfile
                {
                    DelayMax = 200, Loss = Rate(FaultKinds.Loss, 0.1), Stray = Rate(FaultKinds.Delay, 0.2)
                },
                Storage = new StorageProfile
                {
                    DelayMin = 50, DelayMax = 300, Slow = Rate(FaultKinds.SlowStorage, 0.3)
                },
            },
            Faults = new FaultProfile
            {
                RivalOwner = (run.Faults & FaultKinds.RivalOwner) != 0 ? 0.004 + (0.02 * random.NextDouble()) : 0,
                Crash = Rate(FaultKinds.Crash, 0.002)
            },
            Load = new LoadShape { ReadOnlyShare = 0, HotShareMax = 0.5, DepthMax = 1, WidthMax = 2 + random.Next(4) },
            Transactions = 5 + random.Next(8),
            ArrivalWindow = random.Between(20_000, 60_000),
        };
    }

    /// <summary>
    /// Commits that hang between prepare and outcome while clocks are apart: versions come and go, and what is read
    /// meanwhile has timestamps that others have not reached.
    /// </summary>
    public static RunShape Hanging(RunCase run, SimulationRandom random)
    {
        double Rate(FaultKinds of, double most) =>
            (run.Faults & of) != 0 && random.Chance(0.7) ? random.NextDouble() * most : 0;
        var skew = (run.Faults & FaultKinds.ClockSkew) != 0 && random.Chance(0.7) ? random.Between(500, 8_000) : 0;
        var options = ClusterShape.FastOptions();
        options.PrepareTimeoutMicroseconds = 15_000 + (2 * skew);
        options.ResendMicroseconds = random.Pick([3_000L, 8_000L]);
        return new RunShape
        {
            Cluster = new ClusterShape
            {
                Nodes = 2 + random.Next(3),
                Partitions = 2 + random.Next(2),
                Accounts = 3 + random.Next(2),
                SkewMax = skew,
                ThinkMax = 0,
                Options = options,
                Network = new NetworkProfile
                {
                    DelayMax = 300,
                    Stray = Rate(FaultKinds.Delay, 0.4),
                    StrayDelay = random.Pick([3_000L, 12_000L]),
                    Loss = Rate(FaultKinds.Loss, 0.15)
                },
                Storage = new StorageProfile
                {
                    DelayMin = 50, DelayMax = 1_000, Slow = Rate(FaultKinds.SlowStorage, 0.5), SlowDelay = 10_000
                },
            },
            Faults = new FaultProfile
            {
                Crash = Rate(FaultKinds.Crash, 0.002),
                CrashMidBatch = Rate(FaultKinds.CrashMidBatch, 0.02),
                CrashesMax = 3,
                RivalOwner = Rate(FaultKinds.RivalOwner, 0.002)
            },
            Load = new LoadShape
            {
                ReadOnlyShare = random.Pick([0.2, 0.5]),
                HotShareMax = 0.7,
                DepthMax = 1,
                WidthMax = 2 + random.Next(2)
            },
            Transactions = 6 + random.Next(10),
            ArrivalWindow = random.Between(8_000, 30_000),
        };
    }

    /// <summary>
    /// A silo is declared dead right after a step of the commit protocol, comes back, and takes back what others have
    /// settled meanwhile. Votes and outcomes are lost now and then, so that its own commits hang when that happens.
    /// </summary>
    public static RunShape Mistaken(RunCase run, SimulationRandom random)
    {
        double Rate(FaultKinds of, double most) =>
            (run.Faults & of) != 0 && random.Chance(0.5) ? random.NextDouble() * most : 0;
        var partitions = 2 + random.Next(2);
        var options = ClusterShape.FastOptions();
        options.ResendMicroseconds = random.Pick([2_000L, 5_000L]);
        options.PrepareTimeoutMicroseconds = random.Pick([12_000L, 100_000L]);
        options.TransactionTimeoutMicroseconds = 400_000;
        return new RunShape
        {
            Cluster = new ClusterShape
            {
                Nodes = 2 + random.Next(2),
                Partitions = partitions,
                Accounts = partitions + random.Next(3),
                ThinkMax = 0,
                DirectoryLag = random.Pick([0L, 20_000L]),
                Options = options,
                Network = new NetworkProfile { DelayMax = 300, Loss = Rate(FaultKinds.Loss, 0.3) },
                Storage = new StorageProfile
                {
                    DelayMin = 50, DelayMax = 500, Slow = Rate(FaultKinds.SlowStorage, 0.3), SlowDelay = 5_000
                },
            },
            Faults = new FaultProfile
            {
                AimedKinds = FaultKinds.MistakenDeath & run.Faults,
                AimedStrikes = 3 + random.Next(5),
                StrikeKinds = FaultKinds.MistakenDeath & run.Faults,
                Strikes = 1,
                SlowMax = 5_000,
                PartitionMax = 30_000,
                RestartMax = 2_000,
            },
            Load = new LoadShape { ReadOnlyShare = 0, HotShareMax = 0.3, DepthMax = 1, WidthMax = 2 + random.Next(2) },
            Transactions = 6 + random.Next(10),
            ArrivalWindow = random.Between(10_000, 40_000),
        };
    }

    /// <summary>All reserve what they access, and keep to it; nothing goes wrong but messages now and then.</summary>
    public static RunShape Reserving(RunCase run, SimulationRandom random)
    {
        double Rate(FaultKinds kind) => (run.Faults & kind) != 0 && run.Seed % 3 == 0 ? 0.1 * random.NextDouble() : 0;

        // A dry run whose time is up knows a part of the set only, and
        // its transaction strays by no fault of the engine.
        var options = ClusterShape.FastOptions();
        options.DryRunTimeoutMicroseconds = options.TransactionTimeoutMicroseconds;
        return new()
        {
            Cluster = new ClusterShape
            {
                Options = options,
                Nodes = 1 + random.Next(3),
                Partitions = 1 + random.Next(4),
                Accounts = 2 + random.Next(5),
                ThinkMax = random.Pick([0L, 200L, 1_000L]),
                DirectoryLag = 0,
                KeepsToSets = true,
                Network = new NetworkProfile
                {
                    DelayMin = 10,
                    DelayMax = random.Pick([50L, 400L, 2_000L]),
                    Loss = Rate(FaultKinds.Loss),
                    Duplication = Rate(FaultKinds.Duplication)
                },
            },
            Load = new LoadShape { Kind = WorkloadKind.ListAppend, HasFixedSets = true },
            Transactions = 20 + random.Next(40),
            ArrivalWindow = random.Between(2_000, 20_000),
        };
    }

    /// <summary>
    /// Nothing goes wrong, and few grains are in everybody's way: waits, early validation and resumed bodies.
    /// </summary>
    public static RunShape Calm(RunCase run, SimulationRandom random) => new()
    {
        Cluster = new ClusterShape
        {
            Nodes = 1 + random.Next(2),
            Partitions = 1,
            Accounts = 2 + random.Next(3),
            ThinkMax = random.Pick([0L, 200L]),
        },
        Load = new LoadShape
        {
            ReadOnlyShare = 0,
            HotShareMax = 0.6,
            DepthMax = 1,
            WidthMax = 3 + random.Next(3),
            UserExceptions = random.Pick([0, 0.4])
        },
        Transactions = 8 + random.Next(12),
        ArrivalWindow = random.Between(3_000, 15_000),
    };
}
