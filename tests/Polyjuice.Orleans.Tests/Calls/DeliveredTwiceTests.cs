using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Serialization.Invocation;
using Orleans.TestingHost;
using Orleans.Transactions;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Calls;

/// <summary>
/// Orleans sends a message again whose connection breaks while it is being written, and then both copies may arrive.
/// </summary>
public sealed class DeliveredTwiceTests : IAsyncLifetime
{
    private readonly Filter _filter = new();
    private InProcessTestCluster? _cluster;

    public async Task InitializeAsync() => _cluster = await PolyjuiceCluster.StartAsync(
        1, silo => silo.AddIncomingGrainCallFilter(_filter), client => client.UsePolyjuice());

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_call_that_starts_a_transaction_runs_once(bool afterTheFirst)
    {
        Exception? second = null;
        _filter.On(nameof(IAccount.Deposit), async context =>
        {
            if (afterTheFirst) await context.Invoke();
            var copy = Copy(context);
            var answer = copy.Invoke().AsTask();
            if (!afterTheFirst)
            {
                // Whichever comes first is the one that runs.
                await context.Invoke();
            }

            second = (await answer).Exception;
        });
        var account = _cluster!.Client.GetGrain<IAccount>(1);

        var caller = await Record.ExceptionAsync(() => account.Deposit(5));

        Assert.Equal(5, await account.GetBalance());
        if (afterTheFirst)
        {
            Assert.Null(caller);
            Assert.Contains(
                "delivered twice",
                Assert.IsType<OrleansTransactionInDoubtException>(second).Message,
                StringComparison.Ordinal);
        }
        else
        {
            Assert.IsType<OrleansTransactionInDoubtException>(caller);
            Assert.Null(second);
        }
    }

    [Fact]
    public async Task A_filter_may_invoke_a_call_again()
    {
        _filter.On(nameof(IAccount.Deposit), async context =>
        {
            await context.Invoke();
            await context.Invoke();
        });
        var account = _cluster!.Client.GetGrain<IAccount>(2);
        await account.Deposit(5);
        Assert.Equal(10, await account.GetBalance());
    }

    [Fact]
    public async Task A_call_within_a_client_s_transaction_runs_once()
    {
        _filter.On("Invoke", async context =>
        {
            await context.Invoke();
            await context.Invoke();
        });
        var account = _cluster!.Client.GetGrain<IAccount>(3);
        await _cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>()
            .RunTransaction(TransactionOption.Create, async () =>
            {
                await account.Deposit(5);
                await account.Deposit(6);
            });
        _filter.Clear();
        Assert.Equal(11, await account.GetBalance());
    }

    [Fact]
    public async Task A_call_s_number_goes_no_further_than_the_call()
    {
        object? seen = this;
        _filter.On(nameof(IAccount.Deposit), async context =>
        {
            seen = ((TransactionCall)context.Request).Sent;
            Assert.Empty(RequestContext.Entries);
            await context.Invoke();
        });
        await _cluster!.Client.GetGrain<IAccount>(4).Deposit(5);
        Assert.IsType<SentCall>(seen);
        Assert.Empty(RequestContext.Entries);
    }

    // While its partition moves: where it was, one copy is refused, and its caller makes the call again; where it is
    // now, the other copy has run.
    [Fact]
    public async Task A_call_is_the_same_one_after_a_copy_of_it_was_refused()
    {
        var refusals = 0;
        _filter.On(nameof(IAccount.Deposit), async context =>
        {
            if (refusals++ > 0)
            {
                await context.Invoke();
                return;
            }

            Assert.Null((await Copy(context).Invoke()).Exception);
            throw new TransactionConflictException(
                "1", new AbortInfo(AbortReason.OwnerChanged, nameof(IAccount.Deposit)), null);
        });
        var account = _cluster!.Client.GetGrain<IAccount>(5);

        await Assert.ThrowsAsync<OrleansTransactionInDoubtException>(() => account.Deposit(5));

        Assert.Equal((2, 5), (refusals, await account.GetBalance()));
    }

    [Fact]
    public async Task A_call_that_was_refused_runs_when_it_is_made_again()
    {
        var refusals = 0;
        _filter.On(nameof(IAccount.Deposit), async context =>
        {
            if (refusals++ == 0)
                throw new TransactionConflictException(
                    "1", new AbortInfo(AbortReason.OwnerChanged, nameof(IAccount.Deposit)), null);
            await context.Invoke();
        });
        var account = _cluster!.Client.GetGrain<IAccount>(6);
        await account.Deposit(5);
        Assert.Equal((2, 5), (refusals, await account.GetBalance()));
    }

    // The first one may have run on the silo that has served the grain before.
    [Fact]
    public async Task A_second_copy_does_not_run_where_the_grain_has_just_come()
    {
        _filter.On(nameof(IAccount.Deposit), async context =>
        {
            var call = (TransactionCall)context.Request;
            call.Sent = new SentCall(call.Sent!.Number) { Written = true };
            await context.Invoke();
        });
        var account = _cluster!.Client.GetGrain<IAccount>(7);

        var exception = await Assert.ThrowsAsync<OrleansTransactionInDoubtException>(() => account.Deposit(5));

        Assert.Contains("may have run on another silo", exception.Message, StringComparison.Ordinal);
        Assert.Equal(0, await account.GetBalance());
    }

    // As it would be read from the second copy of the message.
    private TransactionCall Copy(IGrainCallContext context)
    {
        var received = (IIncomingGrainCallContext)context;
        var call = (TransactionCall)context.Request;
        var copy = new TransactionCalls(_cluster!.GetSiloServiceProvider()).Of(call.Request);
        copy.Sent = call.Sent;
        copy.SetTarget((ITargetHolder)received.TargetContext);
        return copy;
    }
}
