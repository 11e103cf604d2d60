using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Simulation.Runs;

/// <summary>Random shapes of runs.</summary>
internal static class RunShapes
{
    public static RunShape Random(ulong seed, FaultKinds kinds, bool trace = false)
    {
        var random = new SimulationRandom(SimulationRandom.Mix(seed) ^ 0x5BD1E995);
        var partitions = 1 + random.Next(3);
        var window = random.Between(5_000, 40_000);
        var skew = (kinds & FaultKinds.ClockSkew) != 0 && random.Chance(0.6) ? random.Between(1, 20_000) : 0;
        // Events are about 20 µs apart: these rates give from none to a handful of faults in a run.
        double Rate(FaultKinds of, double most) => (kinds & of) != 0 && random.Chance(0.75) ? random.NextDouble() * most : 0;
        
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
                    Loss = Rate(FaultKinds.Loss, 0.1),
                    Duplication = Rate(FaultKinds.Duplication, 0.15),
                    Stray = Rate(FaultKinds.Delay, 0.15),
                },
                Storage = new StorageProfile
                {
                    DelayMax = random.Between(300, 4_000),
                    ErrorBefore = Rate(FaultKinds.ErrorBeforeWrite, 0.1),
                    ErrorAfter = Rate(FaultKinds.ErrorAfterWrite, 0.1),
                    LateWrite = Rate(FaultKinds.LateWrite, 0.1),
                    ReadError = Rate(FaultKinds.ReadError, 0.1),
                    Slow = Rate(FaultKinds.SlowStorage, 0.2),
                },
                Trace = trace,
            },
            Faults = new FaultProfile
            {
                Crash = Rate(FaultKinds.Crash, 0.003),
                RivalOwner = Rate(FaultKinds.RivalOwner, 0.004),
                Partition = Rate(FaultKinds.Partition, 0.002),
                OneWayPartition = Rate(FaultKinds.OneWayPartition, 0.002),
                CrashMidBatch = Rate(FaultKinds.CrashMidBatch, 0.01),
                Outage = Rate(FaultKinds.Outage, 0.0003),
                SlowSilo = Rate(FaultKinds.SlowSilo, 0.002),
                ClockJump = skew > 0 ? Rate(FaultKinds.ClockJump, 0.002) : 0,
            },
            Transactions = 3 + random.Next(14),
            ArrivalWindow = window,
            ReadOnlyShare = 0.35 * random.NextDouble(),
            UserExceptions = random.Chance(0.5) ? random.NextDouble() * 0.6 : 0,
            Swaps = random.Chance(0.3),
        };
    }
}
