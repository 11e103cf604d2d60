namespace Polyjuice.Embedded.Tests.RealTime;

public sealed class ActivationTests
{
    [Fact]
    public async Task An_idle_grain_leaves_memory_and_comes_back_as_another()
    {
        await using var cluster = await TestCluster.StartAsync(1, options => options.CollectionAge = TimeSpan.FromMilliseconds(20));
        var grain = cluster.Client.GetGrain<ILife>("idle");
        var first = await grain.Incarnation();
        await Signals.WaitAsync("idle deactivated: ActivationIdle");
        Assert.NotEqual(first, await grain.Incarnation());
    }

    [Fact]
    public async Task Calls_of_a_grain_that_fails_to_activate_fail_with_its_exception()
    {
        await using var cluster = await TestCluster.StartAsync();
        var grain = cluster.Client.GetGrain<ILife>("bad");
        var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => grain.FailToActivate());
        Assert.Equal("This grain cannot be activated.", failure.Message);
        await Assert.ThrowsAsync<InvalidOperationException>(() => grain.FailToActivate());
        Assert.Equal(0, cluster.Silos[0].Activations);
    }

    [Fact]
    public async Task Stopping_a_cluster_deactivates_its_grains()
    {
        await using var cluster = await TestCluster.StartAsync();
        await cluster.Client.GetGrain<ILife>("shut").Incarnation();
        await cluster.StopAsync();
        Assert.True(Signals.IsSet("shut deactivated: ShuttingDown"));
    }
}
