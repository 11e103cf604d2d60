using Orleans.Transactions;

namespace Polyjuice.Orleans.Tests.GrainCode;

/// <summary>Transactions of grains and of clients.</summary>
public sealed class TransactionTests
{
    [Theory]
    [InlineData(1, 0, 0)]
    [InlineData(2, 0, 0)]
    [InlineData(2, 0, 1)]
    [InlineData(2, 1, 1)]
    public async Task A_transfer_commits_wherever_its_accounts_are(int silos, int from, int to)
    {
        await using var cluster = await TestHost.StartAsync(silos);
        var (left, right) = (cluster.KeyOn<IWallet>(from, "from"), cluster.KeyOn<IWallet>(to, "to"));
        await cluster.GrainOn<ICashier>(0).Transfer(left, right, 30);
        Assert.Equal(70, await cluster.Client.GetGrain<IWallet>(left).Get());
        Assert.Equal(130, await cluster.Client.GetGrain<IWallet>(right).Get());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task An_exception_that_the_caller_caught_still_dooms_the_transaction(int silo)
    {
        await using var cluster = await TestHost.StartAsync(2);
        var account = cluster.KeyOn<IWallet>(silo);
        await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => cluster.GrainOn<ICashier>(0).CatchAndGoOn(account));
        Assert.Equal(100, await cluster.Client.GetGrain<IWallet>(account).Get());
    }

    [Fact]
    public async Task A_transaction_flows_only_into_methods_that_say_so()
    {
        await using var cluster = await TestHost.StartAsync(2);
        foreach (var silo in new[] { 0, 1 })
            Assert.Equal([true, false, false], await cluster.GrainOn<ICashier>(0).Flow(cluster.KeyOn<IWallet>(silo)));
        Assert.False(await cluster.GrainOn<IWallet>(0).IsInTransaction());
    }

    [Fact]
    public async Task Join_is_refused_outside_of_a_transaction_and_NotAllowed_inside()
    {
        await using var cluster = await TestHost.StartAsync();
        await Assert.ThrowsAsync<NotSupportedException>(() => cluster.GrainOn<IWallet>(0).AddJoined(1));
        var abort = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => cluster.GrainOn<ICashier>(0).CallOutside(cluster.KeyOn<IWallet>(0)));
        Assert.IsType<NotSupportedException>(abort.InnerException);
        await cluster.GrainOn<IWallet>(0).Outside();
    }

    [Fact]
    public async Task A_state_is_not_accessible_outside_of_a_transaction()
    {
        await using var cluster = await TestHost.StartAsync(2);
        await Assert.ThrowsAsync<OrleansTransactionException>(() => cluster.GrainOn<IWallet>(1).AddPlain(1));
    }

    [Fact]
    public async Task A_call_that_was_not_awaited_aborts_its_transaction()
    {
        await using var cluster = await TestHost.StartAsync(2);
        var account = cluster.KeyOn<IWallet>(1);
        await Assert.ThrowsAsync<OrleansOrphanCallException>(() => cluster.GrainOn<ICashier>(0).Forget(account));
        Assert.Equal(100, await cluster.Client.GetGrain<IWallet>(account).Get());
    }

    [Theory]
    [InlineData("occ")]
    [InlineData("2pl-star")]
    [InlineData("ic3")]
    [InlineData("locking")]
    public async Task Concurrent_transfers_conserve_money(string policy)
    {
        await using var cluster = await TestHost.StartAsync(2, policy);
        var accounts = Enumerable.Range(0, 6).Select(i => $"a{i}").ToArray();
        await Task.WhenAll(Enumerable.Range(0, 8).Select(async n =>
        {
            var random = new Random(n);
            for (var i = 0; i < 25; i++)
            {
                var from = random.Next(6);
                var to = (from + 1 + random.Next(5)) % 6;
                try
                {
                    await cluster.Client.GetGrain<ICashier>($"t{n}")
                        .Transfer(accounts[from], accounts[to], random.Next(40));
                }
                catch (OrleansTransactionAbortedException exception)
                    when (exception.InnerException is InvalidOperationException)
                {
                    // Overdrawn: the transfer has not happened.
                }
            }
        }));
        var balances = await Task.WhenAll(accounts.Select(account => cluster.Client.GetGrain<IWallet>(account).Get()));
        Assert.Equal(600, balances.Sum());
        Assert.All(balances, balance => Assert.True(balance >= 0));
    }

    [Fact]
    public async Task Each_attempt_gets_the_arguments_as_the_caller_gave_them()
    {
        await using var cluster = await TestHost.StartAsync(2);
        List<string> accounts = ["p0", "p1", "p2"];
        var results = await Task.WhenAll(
            Enumerable.Range(0, 24)
                .Select(n => cluster.Client.GetGrain<ICashier>($"t{n}").AddInParallel(accounts, [])));
        Assert.All(results, seen => Assert.Equal(1, seen));
        Assert.Equal(124, await cluster.Client.GetGrain<IWallet>("p1").Get());
    }

    [Fact]
    public async Task A_client_runs_transactions_of_its_own()
    {
        await using var cluster = await TestHost.StartAsync(2);
        var (left, right) = (cluster.GrainOn<IWallet>(0), cluster.GrainOn<IWallet>(1));
        await cluster.Transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await left.AddJoined(-5);
            await right.AddJoined(5);
        });
        Assert.Equal(95, await left.Get());
        Assert.Equal(105, await right.Get());
    }

    [Fact]
    public async Task A_clients_transaction_that_returns_false_does_nothing_and_throws_nothing()
    {
        await using var cluster = await TestHost.StartAsync();
        var account = cluster.GrainOn<IWallet>(0);
        await cluster.Transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await account.AddJoined(-5);
            return false;
        });
        Assert.Equal(100, await account.Get());
    }

    [Fact]
    public async Task A_clients_transaction_that_throws_aborts_with_the_exception_inside()
    {
        await using var cluster = await TestHost.StartAsync();
        var account = cluster.GrainOn<IWallet>(0);
        var abort = await Assert.ThrowsAsync<
            OrleansTransactionAbortedException>(() => cluster.Transactions.RunTransaction(
            TransactionOption.Create,
            async () =>
            {
                await account.AddJoined(-5);
                throw new CustomException("no");
            }));
        Assert.IsType<CustomException>(abort.InnerException);
        Assert.Equal(100, await account.Get());
        await Assert.ThrowsAsync<NotSupportedException>(
            () => cluster.Transactions.RunTransaction(TransactionOption.Join, () => Task.CompletedTask));
    }
}
