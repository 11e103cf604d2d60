using Polyjuice.Testing;
using Smallbank.Grains;

namespace Smallbank.Tests;

/// <summary>How a user tests grains of their own under faults. The documentation shows this method as it is.</summary>
public class OwnGrainsTests
{
    // [example]
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Payments_neither_make_nor_lose_money_whatever_goes_wrong(int seed)
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Silos = 3;
            options.Seed = seed;
            options.RecordsHistory = true;
            options.ResponseTimeout = TimeSpan.FromSeconds(10);
        });
        IAccountGrain Account(long key) => cluster.Grains.GetGrain<IAccountGrain>(key);

        // A calm start: twenty accounts with 100 each.
        await Task.WhenAll(Enumerable.Range(0, 20).Select(key => Account(key).Open(100, 0)));

        // Eight clients make 1,000 payments, while silos crash, stand
        // still and leave, messages are late and appends fail.
        cluster.Faults = ClusterFaults.All(seed, meanTime: TimeSpan.FromSeconds(1));
        var told = await cluster.RunAsync(
            client =>
            {
                var from = client.Random.Next(20);
                return Account(from).SendPayment((from + 1 + client.Random.Next(19)) % 20, 10);
            },
            options => (options.Commits, options.Time) = (1_000, TimeSpan.FromMinutes(3)));
        Assert.True(told.Committed >= 1_000, told.ToString());

        // Faults end, the cluster serves again, and what transactions saw has a serial order.
        await cluster.SettleAsync();
        await cluster.RequireAsync();

        // Every silo crashes. The logs alone give the money back.
        foreach (var silo in cluster.Silos.ToArray())
        {
            await cluster.StartSiloAsync();
            await silo.CrashAsync();
        }

        await cluster.WhenServedAsync();
        var balances = await Task.WhenAll(Enumerable.Range(0, 20).Select(key => Account(key).Balance()));
        Assert.Equal(20 * 100, balances.Sum());
    }
    // [/example]

    [Fact]
    public void The_documentation_shows_this_example() =>
        Examples.AssertShown("tests/Smallbank.Tests/OwnGrainsTests.cs", "docs/start/test.md");
}
