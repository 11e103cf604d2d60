using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests;

public sealed class TransferTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Unchanged_grains_commit(int silos)
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(silos);
        var accounts = Enumerable.Range(0, 8).Select(key => cluster.Client.GetGrain<IAccount>(key)).ToArray();
        foreach (var account in accounts) await account.Deposit(100);

        await cluster.Client.GetGrain<ITeller>(0).Transfer(0, 1, 30);

        Assert.Equal(70, await accounts[0].GetBalance());
        Assert.Equal(130, await accounts[1].GetBalance());
        Assert.Equal(800, await cluster.Client.GetGrain<ITeller>(0).Sum([0, 1, 2, 3, 4, 5, 6, 7]));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Concurrent_transfers_neither_make_nor_lose_money(int silos)
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(silos);
        for (var key = 0; key < 4; key++) await cluster.Client.GetGrain<IAccount>(key).Deposit(10_000);

        await Task.WhenAll(Enumerable.Range(0, 16).Select(async client =>
        {
            var random = new Random(client);
            for (var i = 0; i < 50; i++)
            {
                var from = random.Next(4);
                await cluster.Client.GetGrain<ITeller>(client).Transfer(from, (from + 1 + random.Next(3)) % 4, 1);
            }
        }));

        Assert.Equal(40_000, await cluster.Client.GetGrain<ITeller>(0).Sum([0, 1, 2, 3]));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task An_exception_of_the_grain_aborts_and_reaches_the_caller(int silos)
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(silos);
        await cluster.Client.GetGrain<IAccount>(0).Deposit(10);

        var exception = await Assert.ThrowsAnyAsync<global::Orleans.Transactions.OrleansTransactionAbortedException>(
            () => cluster.Client.GetGrain<ITeller>(0).Transfer(0, 1, 30));

        Assert.IsType<InvalidOperationException>(exception.InnerException);
        Assert.Equal(10, await cluster.Client.GetGrain<ITeller>(0).Sum([0, 1]));
    }
}
