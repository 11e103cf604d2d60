using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests;

public sealed class ClientTransactionTests(TwoSilos fixture) : IClassFixture<TwoSilos>
{
    private static long s_last = 1_000;

    private ITransactionClient Transactions =>
        fixture.Cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>();

    [Fact]
    public async Task A_client_runs_a_transaction_over_several_grains()
    {
        var (one, other) = (Account(), Account());
        await Transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await Task.WhenAll(one.Deposit(100), other.Deposit(50));
            await one.Withdraw(30);
            Assert.Equal(70, await one.GetBalance());
        });
        Assert.Equal(70, await one.GetBalance());
        Assert.Equal(50, await other.GetBalance());
    }

    [Fact]
    public async Task An_exception_of_the_delegate_aborts()
    {
        var account = Account();
        var exception = await Assert.ThrowsAnyAsync<
            OrleansTransactionAbortedException>(() => Transactions.RunTransaction(
            TransactionOption.Create,
            async () =>
            {
                await account.Deposit(100);
                throw new InvalidOperationException("changed my mind");
            }));
        Assert.IsType<InvalidOperationException>(exception.InnerException);
        Assert.Equal(0, await account.GetBalance());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_exception_of_the_delegate_that_can_not_be_serialised_aborts_as_any_other(bool isCause)
    {
        var account = Account();
        var own = new UnknownToSilosException();
        var thrown = isCause ? new InvalidOperationException("changed my mind", own) : (Exception)own;
        var exception = await Assert.ThrowsAnyAsync<
            OrleansTransactionAbortedException>(() => Transactions.RunTransaction(
            TransactionOption.Create,
            async () =>
            {
                await account.Deposit(100);
                throw thrown;
            }));
        Assert.Same(thrown, exception.InnerException);
        Assert.Equal(0, await account.GetBalance());
    }

    [Fact]
    public async Task A_delegate_that_returns_false_aborts_without_an_exception()
    {
        var account = Account();
        await Transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await account.Deposit(100);
            return false;
        });
        Assert.Equal(0, await account.GetBalance());
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(3, true)]
    [InlineData(100, false)]
    public async Task A_transaction_that_a_silo_can_not_begin_begins_on_another_one(int failures, bool begins)
    {
        // As a silo does that the others have declared dead, and that
        // goes on all the same: no grain of its can be registered.
        var dead = new DeadSilo(failures);
        await using var cluster = await PolyjuiceCluster.StartAsync(
            1, silo => silo.AddIncomingGrainCallFilter(dead), client => client.UsePolyjuice());
        var account = cluster.Client.GetGrain<IAccount>(1);

        var exception = await Record.ExceptionAsync(() =>
            cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>()
                .RunTransaction(TransactionOption.Create, () => account.Deposit(5)));

        if (begins) Assert.Null(exception);
        else Assert.IsType<OrleansStartTransactionFailedException>(exception);
        Assert.Equal(begins ? 5 : 0, await account.GetBalance());

        // All of its beginnings share one time: each says how much of it is over.
        Assert.Equal(TimeSpan.Zero, dead.Spent[0]);
        Assert.Equal(dead.Spent.Distinct().Order(), dead.Spent);
    }

    // As Orleans does with a message that it has written to a connection that breaks: it sends it again.
    [Fact]
    public async Task A_transaction_whose_start_is_delivered_twice_starts_once()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(
            1, silo => silo.AddIncomingGrainCallFilter(new StartsTwice()), client => client.UsePolyjuice());
        var account = cluster.Client.GetGrain<IAccount>(1);

        await cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>()
            .RunTransaction(TransactionOption.Create, () => account.Deposit(5));

        Assert.Equal(5, await account.GetBalance());
    }

    [Fact]
    public async Task A_nested_transaction_stands_for_itself()
    {
        var (outer, inner) = (Account(), Account());
        await Transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await outer.Deposit(1);
            await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() => Transactions.RunTransaction(
                TransactionOption.Create,
                async () =>
                {
                    await inner.Deposit(1);
                    throw new InvalidOperationException("no");
                }));
        });
        Assert.Equal(1, await outer.GetBalance());
        Assert.Equal(0, await inner.GetBalance());
    }

    [Fact]
    public async Task Transactions_of_clients_that_collide_all_commit()
    {
        var account = Account();
        await Task.WhenAll(Enumerable.Range(0, 8)
            .Select(_ => Transactions.RunTransaction(TransactionOption.Create, async () =>
            {
                var seen = await account.GetBalance();
                await account.Deposit(seen == 0 ? 10 : 1);
            })));
        Assert.Equal(17, await account.GetBalance());
    }

    [Fact]
    public async Task Join_needs_a_transaction() =>
        await Assert.ThrowsAsync<NotSupportedException>(
            () => Transactions.RunTransaction(TransactionOption.Join, () => Task.CompletedTask));

    private IAccount Account() => fixture.Cluster.Client.GetGrain<IAccount>(Interlocked.Increment(ref s_last));

    private sealed class StartsTwice : IIncomingGrainCallFilter
    {
        public async Task Invoke(IIncomingGrainCallContext context)
        {
            if (context is { InterfaceName: "Polyjuice.Orleans.Clients.IClientTransactionGrain", MethodName: "Start" })
                await context.Invoke();
            await context.Invoke();
        }
    }

    private sealed class UnknownToSilosException : Exception;

    private sealed class DeadSilo(int failures) : IIncomingGrainCallFilter
    {
        private int _left = failures;

        public List<TimeSpan> Spent { get; } = [];

        public Task Invoke(IIncomingGrainCallContext context)
        {
            if (context is not {
                InterfaceName: "Polyjuice.Orleans.Clients.IClientTransactionGrain", MethodName: "Start" })
                return context.Invoke();
            Spent.Add((TimeSpan)context.Request.GetArgument(2)!);
            return _left-- > 0
                ? throw new OrleansException("Trying to register the grain on an invalid silo. Known status: Dead")
                : context.Invoke();
        }
    }
}
