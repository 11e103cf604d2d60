using Polyjuice.Testing;
using Xunit;

namespace Bank.Tests;

public class AccountGrainTests
{
    [Fact]
    public async Task Transfers_conserve_money_and_have_a_serial_order_while_a_silo_crashes()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            options.Silos = 2;
            options.RecordsHistory = true;
        });
        IAccountGrain Account(long key) => cluster.Grains.GetGrain<IAccountGrain>(key);
        await Task.WhenAll(Enumerable.Range(0, 10).Select(key => Account(key).Deposit(100)));

        var told = await cluster.RunAsync(
            client =>
            {
                var from = client.Random.Next(10);
                return Account(from).Send(Account((from + 1 + client.Random.Next(9)) % 10), 10);
            },
            options => options.Calls = 200);
        Assert.True(told.Committed > 0, told.ToString());

        await cluster.Silos[1].CrashAsync();
        await cluster.WhenServedAsync();
        await cluster.RequireAsync();
        var balances = await Task.WhenAll(Enumerable.Range(0, 10).Select(key => Account(key).Balance()));
        Assert.Equal(1_000, balances.Sum());
    }
}
