
namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>
/// Grains that take their time from a <see cref="TimeProvider"/>, and grains that leave in the middle of things.
/// </summary>
public sealed class TimeTests
{
    [Fact]
    public async Task A_grain_gets_the_hosts_clock()
    {
        // It is known by its zone, and tells the machine's time: Orleans takes some times from it and others from the
        // machine, and a silo for which the two differ collects no activations, or does not start.
        var time = new ZonedTime();
        await using var cluster = await TestHost.StartAsync(time: time);
        var grain = cluster.Client.GetGrain<IClockGrain>("c");
        Assert.Equal(time.LocalTimeZone.Id, await grain.Zone());
        await grain.Wait(TimeSpan.FromMilliseconds(20));
    }

    [Fact]
    public async Task A_root_grain_that_leaves_during_its_transaction_commits_all_the_same()
    {
        await using var cluster = await TestHost.StartAsync(2);
        var account = cluster.KeyOn<IWallet>(1);
        await cluster.Client.GetGrain<IRestlessGrain>("r").AddAndLeave(account);
        Assert.Equal(101, await cluster.Client.GetGrain<IWallet>(account).Get());
    }
}
