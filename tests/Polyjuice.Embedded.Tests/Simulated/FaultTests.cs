using Polyjuice.Embedded.Tests.RealTime;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Faults;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Storage;

namespace Polyjuice.Embedded.Tests.Simulated;

/// <summary>Each kind of fault happens, is counted, and costs no money.</summary>
public class FaultTests
{
    private const int Accounts = 8;

    public static TheoryData<FaultKinds, SimulatedFaults> Faults => new()
    {
        { FaultKinds.Crash, Nodes(new FaultProfile { Crash = 0.002 }) },
        { FaultKinds.CrashMidBatch, Nodes(new FaultProfile { CrashMidBatch = 0.005 }) },
        { FaultKinds.Outage, Nodes(new FaultProfile { Outage = 0.001 }) },
        { FaultKinds.RivalOwner, Nodes(new FaultProfile { RivalOwner = 0.002 }) },
        { FaultKinds.Partition, Nodes(new FaultProfile { Partition = 0.001 }) },
        { FaultKinds.OneWayPartition, Nodes(new FaultProfile { OneWayPartition = 0.001 }) },
        { FaultKinds.SlowSilo, Nodes(new FaultProfile { SlowSilo = 0.002 }) },
        { FaultKinds.ClockJump, Nodes(new FaultProfile { ClockJump = 0.002 }) },
        { FaultKinds.Loss, new SimulatedFaults { Network = new NetworkProfile { Loss = 0.02 } } },
        { FaultKinds.Duplication, new SimulatedFaults { Network = new NetworkProfile { Duplication = 0.2 } } },
        { FaultKinds.Delay, new SimulatedFaults { Network = new NetworkProfile { Stray = 0.1 } } },
        { FaultKinds.ErrorBeforeWrite, new SimulatedFaults { Storage = new StorageProfile { ErrorBefore = 0.1 } } },
        { FaultKinds.ErrorAfterWrite, new SimulatedFaults { Storage = new StorageProfile { ErrorAfter = 0.1 } } },
        { FaultKinds.LateWrite, new SimulatedFaults { Storage = new StorageProfile { LateWrite = 0.1 } } },
        { FaultKinds.SlowStorage, new SimulatedFaults { Storage = new StorageProfile { Slow = 0.1 } } },
    };

    [Theory]
    [MemberData(nameof(Faults))]
    public void Money_survives_a_fault(FaultKinds kind, SimulatedFaults faults)
    {
        using var cluster = SimulatedTestCluster.Start(seed: 5);
        cluster.StartFaults(faults);
        cluster.Run(() => TransferAsync(cluster));
        cluster.StopFaults();
        Assert.True(cluster.Faults[kind] > 0, $"{kind} never happened");
        cluster.Settle();
        cluster.RestartAll();
        Assert.Equal(Accounts * 100, cluster.Run(() => TotalAsync(cluster)));
    }

    [Fact]
    public void A_strike_happens_within_the_next_events_and_no_more_faults_than_allowed_happen()
    {
        using var cluster = SimulatedTestCluster.Start(simulation: new SimulationOptions { FaultsMax = 1 });
        cluster.StartFaults(SimulatedFaults.None);
        cluster.Strike(FaultKinds.Crash);
        cluster.Strike(FaultKinds.Crash);
        cluster.Run(() => TransferAsync(cluster));
        Assert.Equal(1, cluster.Faults[FaultKinds.Crash]);
        Assert.Equal(1, cluster.Faults.Total);
    }

    [Fact]
    public void Equal_seeds_give_equal_runs_and_a_trace_changes_nothing()
    {
        var faults = SimulatedFaults.Random(9);
        var digests = new[] { false, true }.Select(trace =>
        {
            using var cluster = SimulatedTestCluster.Start(seed: 9, simulation: new SimulationOptions { Trace = trace });
            cluster.StartFaults(faults);
            cluster.Run(() => TransferAsync(cluster));
            Assert.Equal(trace, cluster.Trace.Count > 0);
            return (cluster.Digest, cluster.Events, cluster.Elapsed);
        }).ToArray();
        Assert.Equal(digests[0], digests[1]);
    }

    [Fact]
    public void An_exception_that_nobody_awaits_ends_the_run()
    {
        using var cluster = SimulatedTestCluster.Start();
        var failure = Assert.Throws<SimulationFailedException>(() => cluster.Run(async () =>
        {
            SynchronizationContext.Current!.Post(static _ => throw new InvalidOperationException("on purpose"), null);
            await Task.Delay(TimeSpan.FromSeconds(1), cluster.TimeProvider);
        }));
        Assert.Equal("exception", failure.Kind);
        Assert.Contains("on purpose", failure.Message, StringComparison.Ordinal);
    }

    private static SimulatedFaults Nodes(FaultProfile profile) => new() { Nodes = profile };

    private static async Task TransferAsync(SimulatedEmbeddedCluster cluster)
    {
        var clients = Enumerable.Range(0, 4).Select(async client =>
        {
            for (var i = 0; i < 25; i++)
            {
                var (from, to) = (cluster.Random.Next(Accounts), cluster.Random.Next(Accounts));
                if (from == to) continue;
                try
                {
                    await cluster.Client.GetGrain<ITeller>($"{client}").Transfer($"{from}", $"{to}", 1);
                }
                catch (Exception exception) when (exception is OrleansException or TimeoutException or SiloUnavailableException)
                {
                    // Done or not: a transfer changes no total.
                }
            }
        });
        await Task.WhenAll(clients);
    }

    private static async Task<int> TotalAsync(SimulatedEmbeddedCluster cluster)
    {
        var total = 0;
        for (var account = 0; account < Accounts; account++) total += await cluster.Client.GetGrain<IAccount>($"{account}").Get();
        return total;
    }
}
