using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Simulation.Runs;

/// <summary>What goes wrong in a class of random runs.</summary>
[Flags]
internal enum FaultClasses
{
    None = 0,

    /// <summary>Messages are lost, duplicated and late; nodes lose sight of each other.</summary>
    Network = 1,

    /// <summary>Appends fail before, after or without knowing of their effect, or take long.</summary>
    Storage = 2,

    /// <summary>Silos die and are replaced.</summary>
    Crash = 4,

    /// <summary>Partitions are taken over while their owners live.</summary>
    Owners = 8,

    /// <summary>Clocks are off and jump.</summary>
    Skew = 16,

    All = Network | Storage | Crash | Owners | Skew,
}

/// <summary>Random shapes of runs.</summary>
internal static class RunShapes
{
    public static RunShape Random(ulong seed, FaultClasses classes, bool trace = false)
    {
        var random = new SimulationRandom(SimulationRandom.Mix(seed) ^ 0x5BD1E995);
        var partitions = 1 + random.Next(3);
        var window = random.Between(5_000, 40_000);
        var skew = classes.HasFlag(FaultClasses.Skew) && random.Chance(0.6) ? random.Between(1, 20_000) : 0;
        // Events are about 20 µs apart: these rates give from none to a handful of faults in a run.
        double Rate(FaultClasses of, double most) => classes.HasFlag(of) && random.Chance(0.75) ? random.NextDouble() * most : 0;
        return new RunShape
        {
            Cluster = new ClusterShape
            {
                Nodes = 1 + random.Next(4),
                Partitions = partitions,
                Accounts = Math.Max(partitions, 1 + random.Next(6)),
                SkewMax = skew,
                ThinkMax = random.Next(3) * 200,
                Policy = node => new RandomPolicy(SimulationRandom.Mix(seed) + (seed % 3 == 0 ? (ulong)node.Value : 0)),
                Network = new NetworkProfile
                {
                    DelayMax = random.Between(150, 2_000),
                    Loss = Rate(FaultClasses.Network, 0.1),
                    Duplication = Rate(FaultClasses.Network, 0.15),
                    Stray = Rate(FaultClasses.Network, 0.15),
                },
                Storage = new StorageProfile
                {
                    DelayMax = random.Between(300, 4_000),
                    Errors = Rate(FaultClasses.Storage, 0.3),
                    Slow = Rate(FaultClasses.Storage, 0.2),
                },
                Trace = trace,
            },
            Faults = new FaultProfile
            {
                Crash = Rate(FaultClasses.Crash, 0.003),
                DuplicateOwner = Rate(FaultClasses.Owners, 0.004),
                Partition = Rate(FaultClasses.Network, 0.002),
                ClockJump = skew > 0 ? Rate(FaultClasses.Skew, 0.002) : 0,
            },
            Transactions = 3 + random.Next(14),
            ArrivalWindow = window,
            ReadOnlyShare = 0.35 * random.NextDouble(),
            UserExceptions = random.Chance(0.5) ? random.NextDouble() * 0.6 : 0,
            Swaps = random.Chance(0.3),
        };
    }
}
