namespace Polyjuice.Embedded.Tests.RealTime;

public sealed class ActivationTests
{
    [Fact]
    public async Task A_grain_is_activated_by_its_first_call_and_stays()
    {
        await using var cluster = await TestCluster.StartAsync();
        var grain = cluster.Client.GetGrain<ILife>("stays");
        Assert.False(Signals.IsSet("stays activated"));
        Assert.Equal(await grain.Incarnation(), await grain.Incarnation());
        Assert.True(Signals.IsSet("stays activated"));
    }

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
    public async Task DeactivateOnIdle_lets_the_next_call_make_another_activation()
    {
        await using var cluster = await TestCluster.StartAsync();
        var grain = cluster.Client.GetGrain<ILife>("leaves");
        var first = await grain.Incarnation();
        await grain.Leave();
        Assert.NotEqual(first, await grain.Incarnation());
        Assert.True(Signals.IsSet("leaves deactivated: ApplicationRequested"));
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

    [Fact]
    public async Task A_grain_timer_ticks_until_it_is_disposed_of()
    {
        await using var cluster = await TestCluster.StartAsync();
        Assert.Equal(3, await cluster.Client.GetGrain<ILife>("timer").Ticks(3));
    }
}
