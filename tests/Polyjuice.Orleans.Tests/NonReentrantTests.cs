using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests;

public sealed class NonReentrantTests
{
    [Fact]
    public async Task A_wait_that_holds_the_grain_that_it_waits_for_ends()
    {
        // Without the bound, it would take the engine's deadline, which is longer than the transactions' time here.
        await using var cluster = await PolyjuiceCluster.StartAsync(
            1,
            silo => silo.Configure<PolyjuiceOptions>(options =>
            {
                options.Policy = "locking";
                options.NonReentrantWait = TimeSpan.FromMilliseconds(50);
                options.Engine.WaitDeadlineMicroseconds = 60_000_000;
                options.Engine.TransactionTimeoutMicroseconds = 20_000_000;
            }));

        await Task.WhenAll(
            Enumerable.Range(0, 4).Select(user => cluster.Client.GetGrain<IStiffUser>(user).AddTwice(1)));

        Assert.Equal(8, await cluster.Client.GetGrain<IStiffCounter>(1).Add(0));
    }
}
