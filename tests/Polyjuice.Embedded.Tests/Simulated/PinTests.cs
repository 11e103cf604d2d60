using Polyjuice.Embedded.Tests.RealTime;

namespace Polyjuice.Embedded.Tests.Simulated;

/// <summary>What a dry run has loaded stays loaded.</summary>
public sealed class PinTests
{
    [Fact]
    public void What_a_dry_run_has_loaded_is_not_collected_before_the_transaction_can_have_ended()
    {
        using var cluster = SimulatedTestCluster.Start(configure: options =>
        {
            options.PolicyName = "reserve";
            options.CollectionAge = TimeSpan.FromSeconds(1);
            options.Engine.TransactionTimeoutMicroseconds = 30_000_000;
        });
        cluster.Run(() => cluster.Client.GetGrain<IAccount>("plain").Add(1));
        cluster.Run(() => cluster.Client.GetGrain<IScout>("scout").Move("a", ["b"]));
        cluster.Run(() => Task.Delay(TimeSpan.FromSeconds(10), cluster.TimeProvider));

        // The scout and both accounts; nobody has run the other one dry.
        Assert.Equal(3, cluster.Silos.Sum(silo => silo.Activations));
        cluster.Run(() => Task.Delay(TimeSpan.FromSeconds(40), cluster.TimeProvider));
        Assert.Equal(0, cluster.Silos.Sum(silo => silo.Activations));
    }
}
