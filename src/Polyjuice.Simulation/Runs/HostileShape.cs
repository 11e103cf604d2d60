using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;
using Polyjuice.Simulation.Workloads;

namespace Polyjuice.Simulation.Runs;

/// <summary>
/// Few transactions, and of everything that can go wrong a lot or nothing: each run draws which ("swarm testing", Groce
/// et al., ISSTA 2012). Runs in which all goes wrong at once mostly show that nothing commits.
/// </summary>
internal static class HostileShape
{
    public static RunShape Make(RunCase run, SimulationRandom random)
    {
        var kinds = run.Faults;
        double Rate(FaultKinds of, double some, double many) =>
            (kinds & of) == 0
                ? 0
                : random.Next(3) switch { 0 => 0, 1 => some * random.NextDouble(), _ => many * random.NextDouble() };
        long Pick(params long[] of) => random.Pick(of);

        var partitions = 1 + random.Next(3);
        var skew = (kinds & FaultKinds.AllClock) != 0 && random.Chance(0.4) ? Pick(1_000, 10_000, 20_000) : 0;
        var options = ClusterShape.FastOptions();
        // It covers a commit without faults, and the wait for the clock
        // that is furthest ahead: shorter, and nothing ever commits.
        options.PrepareTimeoutMicroseconds = Pick(150_000, 30_000, 15_000) + (2 * skew);
        options.ResendMicroseconds = Pick(10_000, 3_000, 30_000);
        options.CeilingAheadMicroseconds = Pick(20_000, 4_000);
        options.TransactionTimeoutMicroseconds = Pick(2_000_000, 200_000);
        var userExceptions = random.Chance(0.3) ? random.NextDouble() * 0.5 : 0;
        return new RunShape
        {
            Cluster = new ClusterShape
            {
                Nodes = 2 + random.Next(3),
                AgentNodes = random.Next(2),
                Partitions = partitions,
                Accounts = Math.Max(partitions, 1 + random.Next(4)),
                SkewMax = skew,
                ThinkMax = Pick(0, 200, 2_000),
                DirectoryLag = Pick(5_000, 60_000, 300_000),
                DetectionDelay = Pick(40_000, 5_000),
                CallTimeout = Pick(200_000, 20_000),
                Options = options,
                Network = new NetworkProfile
                {
                    DelayMax = Pick(150, 1_000),
                    Loss = Rate(FaultKinds.Loss, 0.05, 0.4),
                    Duplication = Rate(FaultKinds.Duplication, 0.1, 0.4),
                    Stray = Rate(FaultKinds.Delay, 0.1, 0.4),
                    StrayDelay = Pick(20_000, 5_000, 80_000),
                },
                Storage = new StorageProfile
                {
                    DelayMax = Pick(300, 2_000),
                    ErrorBefore = Rate(FaultKinds.ErrorBeforeWrite, 0.05, 0.2),
                    ErrorAfter = Rate(FaultKinds.ErrorAfterWrite, 0.05, 0.2),
                    LateWrite = Rate(FaultKinds.LateWrite, 0.05, 0.2),
                    ReadError = Rate(FaultKinds.ReadError, 0.05, 0.2),
                    Slow = Rate(FaultKinds.SlowStorage, 0.1, 0.7),
                    SlowDelay = Pick(10_000, 30_000, 80_000),
                },
            },
            Faults = new FaultProfile
            {
                Crash = Rate(FaultKinds.Crash, 0.002, 0.006),
                CrashMidBatch = Rate(FaultKinds.CrashMidBatch, 0.01, 0.05),
                Outage = Rate(FaultKinds.Outage, 0.0002, 0.001),
                SlowSilo = Rate(FaultKinds.SlowSilo, 0.002, 0.01),
                RivalOwner = Rate(FaultKinds.RivalOwner, 0.003, 0.012),
                Partition = Rate(FaultKinds.Partition, 0.002, 0.006),
                OneWayPartition = Rate(FaultKinds.OneWayPartition, 0.002, 0.006),
                WildClock = Rate(FaultKinds.WildClock, 0.001, 0.004),
                ClockJump = skew > 0 ? Rate(FaultKinds.ClockJump, 0.002, 0.02) : 0,
                CrashesMax = 6,
                RestartMax = Pick(30_000, 2_000),
            },
            Load = new LoadShape
            {
                ReadOnlyShare = random.Next(3) switch { 0 => 0, 1 => 0.3, _ => 0.7 },
                UserExceptions = userExceptions,
                HotShareMax = 0.9,
                DepthMax = 1 + random.Next(2),
                WidthMax = 1 + random.Next(3),
            },
            Transactions = 3 + random.Next(7),
            ArrivalWindow = random.Between(5_000, 100_000),
            Swaps = random.Chance(0.1),
        };
    }
}
