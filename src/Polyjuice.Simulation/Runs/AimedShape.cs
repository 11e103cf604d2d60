using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Simulation.Runs;

/// <summary>
/// Few transactions over two or three partitions, a network and storage that are mostly good, and a few faults right
/// after steps of the commit protocol that each run draws for itself.
/// </summary>
internal static class AimedShape
{
    private const FaultKinds Strikes =
        FaultKinds.Crash | FaultKinds.CrashMidBatch | FaultKinds.Outage | FaultKinds.SlowSilo | FaultKinds.RivalOwner
            | FaultKinds.Partition | FaultKinds.OneWayPartition
            | FaultKinds.Loss | FaultKinds.Duplication | FaultKinds.Delay | FaultKinds.ErrorAfterWrite
            | FaultKinds.LateWrite | FaultKinds.SlowStorage;

    public static RunShape Make(RunCase run, SimulationRandom random)
    {
        double Rate(FaultKinds of, double most) =>
            (run.Faults & of) != 0 && random.Chance(0.5) ? random.NextDouble() * most : 0;
        var partitions = 2 + random.Next(2);
        var options = ClusterShape.FastOptions();
        options.PrepareTimeoutMicroseconds = random.Pick([15_000L, 30_000L, 150_000L]);
        options.ResendMicroseconds = random.Pick([3_000L, 10_000L]);
        options.CeilingAheadMicroseconds = random.Pick([2_000L, 20_000L, 60_000L]);
        options.TransactionTimeoutMicroseconds = random.Pick([200_000L, 2_000_000L]);
        return new RunShape
        {
            Cluster = new ClusterShape
            {
                Nodes = 3 + random.Next(4),
                AgentNodes = random.Next(3),
                Partitions = partitions,
                Accounts = partitions + random.Next(3),
                ThinkMax = 0,
                DirectoryLag = random.Pick([1_000L, 60_000L, 200_000L]),
                DirectoryPrompt = random.Pick([0, 0.5]),
                DetectionDelay = random.Pick([5_000L, 40_000L]),
                Options = options,
                Network = new NetworkProfile
                {
                    DelayMax = 300,
                    Loss = Rate(FaultKinds.Loss, 0.15),
                    Stray = Rate(FaultKinds.Delay, 0.3),
                    StrayDelay = random.Pick([5_000L, 30_000L])
                },
                Storage = new StorageProfile
                {
                    DelayMin = 50, DelayMax = 500, ErrorAfter = Rate(FaultKinds.ErrorAfterWrite, 0.1),
                    Slow = Rate(FaultKinds.SlowStorage, 0.4), SlowDelay = random.Pick([5_000L, 30_000L]),
                },
            },
            Faults = new FaultProfile
            {
                AimedKinds = Strikes & run.Faults,
                AimedStrikes = 3 + random.Next(6),
                RestartMax = random.Pick([2_000L, 30_000L])
            },
            Load = new LoadShape
            {
                ReadOnlyShare = random.Pick([0, 0.3]), HotShareMax = 0.6, DepthMax = 1, WidthMax = 2 + random.Next(2)
            },
            Transactions = 5 + random.Next(8),
            ArrivalWindow = random.Between(20_000, 80_000),
        };
    }
}
