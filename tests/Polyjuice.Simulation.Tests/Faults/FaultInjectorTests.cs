using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Simulation.Tests.Faults;

/// <summary>Each kind of fault happens, is counted, and costs no money.</summary>
public sealed class FaultInjectorTests
{
    private static readonly FaultProfile s_outages = new() { Outage = 0.002 };

    public static TheoryData<string> Kinds => [.. FaultLedger.Kinds.Select(kind => kind.ToString())];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Money_survives_a_fault(string name)
    {
        var kind = Enum.Parse<FaultKinds>(name);
        var (shape, profile) = Of(kind);
        var happened = 0L;
        for (var seed = 1UL; seed <= 5; seed++) happened += TransferRun.Execute(shape, profile, seed).Faults[kind];
        Assert.True(happened > 0, $"{kind} never happened");
    }

    [Fact]
    public void Where_nothing_is_to_go_wrong_nothing_does() =>
        Assert.Equal(0, TransferRun.Execute(TransferRun.Shape, FaultProfile.None, seed: 1).Faults.Total);

    [Theory]
    [InlineData(long.MaxValue, 2)]
    [InlineData(1, 1)]
    public void A_strike_happens_surely_and_no_more_faults_than_allowed_do(long budget, long crashes)
    {
        var profile = new FaultProfile { StrikeKinds = FaultKinds.Crash, Strikes = 2 };
        var faults = TransferRun.Execute(TransferRun.Shape with { FaultBudget = budget }, profile, seed: 1).Faults;
        Assert.Equal((crashes, crashes), (faults[FaultKinds.Crash], faults.Total));
    }

    [Fact]
    public void Equal_seeds_give_equal_runs_and_a_trace_changes_nothing()
    {
        var network = new NetworkProfile { Loss = 0.01, Duplication = 0.05, Stray = 0.05 };
        var storage = new StorageProfile { ErrorBefore = 0.05, ErrorAfter = 0.05, LateWrite = 0.05, Slow = 0.05 };
        var shape = TransferRun.Shape with { Network = network, Storage = storage, SkewMax = 10_000 };
        var profile = new FaultProfile { Crash = 0.001, RivalOwner = 0.001, Partition = 0.001, SlowSilo = 0.001 };
        var runs = new[] { false, true }.Select(trace =>
        {
            var cluster = TransferRun.Execute(shape with { Trace = trace }, profile, seed: 9);
            Assert.Equal(trace, cluster.Trace.Count > 0);
            return (cluster.Loop.Digest, cluster.Loop.EventsRun, cluster.Loop.Now, cluster.Faults.Total);
        }).ToArray();
        Assert.Equal(runs[0], runs[1]);
        Assert.True(runs[0].Total > 10, $"{runs[0].Total} faults");
    }

    private static (ClusterShape Shape, FaultProfile Profile) Of(FaultKinds kind) => kind switch
    {
        FaultKinds.Crash => Nodes(new() { Crash = 0.002 }),
        FaultKinds.CrashMidBatch => Nodes(new() { CrashMidBatch = 0.005 }),
        FaultKinds.Outage => Nodes(s_outages),
        FaultKinds.RivalOwner => Nodes(new() { RivalOwner = 0.002 }),
        FaultKinds.MistakenDeath => Nodes(new() { StrikeKinds = FaultKinds.MistakenDeath, Strikes = 2 }),
        FaultKinds.Partition => Nodes(new() { Partition = 0.001 }),
        FaultKinds.OneWayPartition => Nodes(new() { OneWayPartition = 0.001 }),
        FaultKinds.SlowSilo => Nodes(new() { SlowSilo = 0.002 }),
        FaultKinds.ClockSkew => (TransferRun.Shape with { SkewMax = 10_000 }, FaultProfile.None),
        FaultKinds.ClockJump => (TransferRun.Shape with { SkewMax = 10_000 }, new() { ClockJump = 0.002 }),
        FaultKinds.WildClock => (TransferRun.Shape with { AgentNodes = 1 }, new() { WildClock = 0.002 }),
        FaultKinds.Loss => Network(new() { Loss = 0.02 }),
        FaultKinds.Duplication => Network(new() { Duplication = 0.2 }),
        FaultKinds.Delay => Network(new() { Stray = 0.1 }),
        FaultKinds.ErrorBeforeWrite => Storage(new() { ErrorBefore = 0.1 }),
        FaultKinds.ErrorAfterWrite => Storage(new() { ErrorAfter = 0.1 }),
        FaultKinds.LateWrite => Storage(new() { LateWrite = 0.1 }),
        FaultKinds.ReadError => Storage(new() { ReadError = 0.1 }),
        FaultKinds.SlowStorage => Storage(new() { Slow = 0.1 }),
        FaultKinds.TornWrite => (OnDisk, s_outages),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "A kind that this test does not make happen."),
    };

    private static ClusterShape OnDisk => TransferRun.Shape with
    {
        MakeStorage = static (loop, random, faults) =>
            new DeviceStorage(StorageKind.Disk, new(), TransferRun.Shape.Partitions, 1, loop, random, faults),
    };

    private static (ClusterShape Shape, FaultProfile Profile) Nodes(FaultProfile profile) =>
        (TransferRun.Shape, profile);

    private static (ClusterShape Shape, FaultProfile Profile) Network(NetworkProfile profile) =>
        (TransferRun.Shape with { Network = profile }, FaultProfile.None);

    private static (ClusterShape Shape, FaultProfile Profile) Storage(StorageProfile profile) =>
        (TransferRun.Shape with { Storage = profile }, FaultProfile.None);
}
