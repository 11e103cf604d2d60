using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;

namespace Polyjuice.Simulation.Tests.Clusters;

public sealed class SimulatedClusterTests
{
    [Fact]
    public void Each_silo_has_a_clock_of_its_own()
    {
        using var cluster = SimulatedCluster.Start(new ClusterShape { Nodes = 6, SkewMax = 10_000 }, seed: 1);
        var clocks = cluster.Alive.Select(node => node.UtcMicroseconds).ToArray();
        Assert.InRange(clocks.Max() - clocks.Min(), 1_500, 20_000);
        Assert.All(clocks, clock => Assert.InRange(clock - SimulatedCluster.Epoch - cluster.Loop.Now, -10_000, 10_000));
    }

    [Fact]
    public void An_exception_that_nobody_awaits_ends_the_run()
    {
        using var cluster = SimulatedCluster.Start(new ClusterShape(), seed: 1);
        cluster.Node(0).Turn(() =>
            SynchronizationContext.Current!.Post(static _ => throw new InvalidOperationException("on purpose"), null));
        var failure = Assert.Throws<SimulationFailedException>(() => cluster.Loop.RunFor(1_000));
        Assert.Equal("exception", failure.Kind);
        Assert.Contains("on purpose", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_call_that_is_never_answered_ends_after_its_bound()
    {
        var shape = new ClusterShape
        {
            Nodes = 2, Partitions = 2, Accounts = 2, DirectoryLag = 0, CallTimeout = 500_000
        };
        using var cluster = SimulatedCluster.Start(shape, seed: 1);
        cluster.Network.Profile = new NetworkProfile { Loss = 1 };
        var record = cluster.Run(cluster.Node(0), new TransactionSpec("Add", Step.Update(1, 1), MaxAttempts: 1));
        Assert.Equal(Outcome.Aborted, record.Outcome);
        Assert.InRange(record.Ended - record.Started, 500_000, 510_000);
        Assert.All(cluster.Alive, node => Assert.True(node.IsAlive));
    }
}
