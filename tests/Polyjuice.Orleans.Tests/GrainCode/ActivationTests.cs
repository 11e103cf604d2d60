
namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>How grains come and go.</summary>
public sealed class ActivationTests
{
    [Fact]
    public async Task A_grain_is_activated_by_its_first_call_and_stays()
    {
        await using var cluster = await TestHost.StartAsync();
        var grain = cluster.Client.GetGrain<ILife>("stays");
        Assert.False(Signals.IsSet("stays activated"));
        Assert.Equal(await grain.Incarnation(), await grain.Incarnation());
        Assert.True(Signals.IsSet("stays activated"));
    }

    [Fact]
    public async Task DeactivateOnIdle_lets_the_next_call_make_another_activation()
    {
        await using var cluster = await TestHost.StartAsync();
        var grain = cluster.Client.GetGrain<ILife>("leaves");
        var first = await grain.Incarnation();
        await grain.Leave();
        Assert.NotEqual(first, await grain.Incarnation());
        Assert.True(Signals.IsSet("leaves deactivated: ApplicationRequested"));
    }

    [Fact]
    public async Task A_grain_timer_ticks_until_it_is_disposed_of()
    {
        await using var cluster = await TestHost.StartAsync();
        Assert.Equal(3, await cluster.Client.GetGrain<ILife>("timer").Ticks(3));
    }
}
