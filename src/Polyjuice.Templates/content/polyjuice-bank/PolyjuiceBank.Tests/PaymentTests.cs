using Polyjuice.Testing;
using PolyjuiceBank.Grains;
using Xunit;

namespace PolyjuiceBank.Tests;

public class PaymentTests
{
    private const int Customers = 10;
    private const decimal Paid = 10;

    [Fact]
    public async Task A_payment_that_is_not_covered_changes_nothing()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync();
        var customer = cluster.Grains.GetGrain<IAccountGrain>("customer");
        await customer.Deposit(5);

        Assert.False(await customer.Pay("shop", Paid));

        Assert.Equal(5, await customer.GetBalance());
        Assert.Equal(0, await cluster.Grains.GetGrain<IAccountGrain>("shop").GetBalance());
    }

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
        IAccountGrain Account(string name) => cluster.Grains.GetGrain<IAccountGrain>(name);
        string[] customers = [.. Enumerable.Range(0, Customers).Select(number => $"customer {number}")];
        await Task.WhenAll(customers.Select(name => Account(name).Deposit(1_000)));

        // While they make 1,000 payments, silos crash, stand still and leave, messages are late and appends fail.
        cluster.Faults = ClusterFaults.All(seed, meanTime: TimeSpan.FromSeconds(1));
        var told = await cluster.RunAsync(
            client =>
            {
                var (customer, shop) = (customers[client.Random.Next(Customers)], $"shop {client.Random.Next(2)}");
                return client.Random.Next(4) == 0
                    ? Account(shop).Refund(customer, Paid)
                    : Account(customer).Pay(shop, Paid);
            },
            options => (options.Commits, options.Time) = (1_000, TimeSpan.FromMinutes(3)));
        Assert.True(told.Committed >= 1_000, told.ToString());

        // What transactions saw has a serial order, and all of the money is there.
        await cluster.SettleAsync();
        await cluster.RequireAsync();
        var total = await Account(AccountGrain.Bank).GetTotal([.. customers, "shop 0", "shop 1"]);
        Assert.Equal(Customers * 1_000, total);
    }
}
