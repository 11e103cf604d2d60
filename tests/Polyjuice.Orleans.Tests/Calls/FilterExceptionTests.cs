using System.Collections.Concurrent;
using Orleans;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Calls;

/// <summary>
/// What call filters see of the exceptions of transactional calls, and what becomes of a transaction whose exception
/// they keep to themselves.
/// </summary>
public sealed class FilterExceptionTests : IClassFixture<FilteredSilos>
{
    private static long s_accounts;

    private readonly Filter _incoming;
    private readonly Filter _outgoing;
    private readonly IGrainFactory _grains;
    private readonly long _first = Interlocked.Add(ref s_accounts, 10_000);

    public FilterExceptionTests(FilteredSilos silos)
    {
        (_incoming, _outgoing, _grains) = (silos.Incoming, silos.Outgoing, silos.Grains);
        _incoming.Clear();
        _outgoing.Clear();
    }

    // Of so many accounts some are on the caller's silo, and some on the other.
    public static TheoryData<long> Accounts => [.. Enumerable.Range(0, 4).Select(i => (long)i)];

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task Both_ends_of_a_joined_call_see_its_exception(long account)
    {
        account += _first;
        var seen = Watch(nameof(IAccount.Withdraw));

        await Assert.ThrowsAsync<OrleansTransactionAbortedException>(() => Teller.Transfer(account, account + 100, 1));

        Assert.Equal(["incoming: Insufficient funds.", "outgoing: Insufficient funds."], seen);
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task Both_ends_of_a_root_call_see_its_exception(long account)
    {
        account += _first;
        var seen = Watch(nameof(IAccount.Withdraw));

        await Assert.ThrowsAsync<OrleansTransactionAbortedException>(() => Careful.WithdrawFrom(account, 1));

        Assert.Equal(["incoming: Insufficient funds.", "outgoing: Insufficient funds."], seen);
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task An_abort_that_a_root_calls_filter_swallows_stays_an_abort(long account)
    {
        account += _first;
        _incoming.On(nameof(IAccount.Withdraw), SwallowAsync);

        var exception = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => Account(account).Withdraw(1));

        Assert.Equal("Insufficient funds.", exception.InnerException!.Message);
        Assert.Equal(1, _incoming.Calls);
        Assert.Equal(0, await Account(account).GetBalance());
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task An_abort_that_a_joined_calls_filter_swallows_stays_an_abort(long account)
    {
        account += _first;
        _incoming.On(nameof(IAccount.Withdraw), SwallowAsync);

        var exception = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => Teller.Transfer(account, account + 100, 1));

        Assert.Equal("Insufficient funds.", exception.InnerException!.Message);
        Assert.Equal(1, _incoming.Calls);
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task One_that_the_callers_code_swallows_too_aborts_with_its_cause(long account)
    {
        account += _first;
        var exception = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => Careful.TryTransfer(account + 100, account, 1));

        Assert.Equal("Insufficient funds.", exception.InnerException!.Message);
        Assert.Equal(0, await Account(account + 100).GetBalance());
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task An_abort_that_the_callers_filter_swallows_stays_an_abort(long account)
    {
        account += _first;
        _outgoing.On(nameof(IAccount.Withdraw), SwallowAsync);

        var exception = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => Teller.Transfer(account, account + 100, 1));

        Assert.Equal("Insufficient funds.", exception.InnerException!.Message);
        Assert.Equal(0, await Account(account + 100).GetBalance());
    }

    [Fact]
    public async Task An_abort_that_the_filter_of_a_roots_caller_swallows_is_no_success()
    {
        _outgoing.On(nameof(IAccount.Withdraw), SwallowAsync);

        // As Orleans says of a plain call.
        var exception = await Assert.ThrowsAsync<InvalidOperationException>(() => Account(_first).Withdraw(1));

        Assert.Contains("broken filter", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task What_a_filter_sets_on_purpose_is_the_answer_of_a_root_call_and_nothing_is_committed(long account)
    {
        account += _first;
        await Account(account).Deposit(10);
        _incoming.On(nameof(IAccount.Deposit), static _ => throw new InvalidOperationException("not today"));
        _incoming.On(nameof(IWatched.Double), static async context =>
        {
            await Record.ExceptionAsync(context.Invoke);
            context.Result = -1;
        });
        WatchedGrain.Release(2_000 + account);

        Assert.Equal(-1, await _grains.GetGrain<IWatched>(2_000 + account).Double(account));
        Assert.Equal(10, await Account(account).GetBalance());
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task What_a_filter_sets_on_purpose_after_a_joined_call_has_failed_saves_no_transaction(long account)
    {
        account += _first;
        _incoming.On(nameof(IAccount.Withdraw), async context =>
        {
            await Record.ExceptionAsync(context.Invoke);
            context.Result = null;
        });

        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => Careful.TryTransfer(account + 100, account, 1));

        Assert.Equal(1, _incoming.Calls);
        Assert.Equal(0, await Account(account + 100).GetBalance());
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task A_filter_may_put_another_result_in_the_place_of_a_joined_calls(long account)
    {
        account += _first;
        _incoming.On(nameof(IAccount.GetBalance), static async context =>
        {
            await context.Invoke();
            context.Result = (int)context.Result! + 100;
        });

        Assert.Equal(200, await Teller.Sum([account, account + 1]));
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task A_filter_that_throws_after_a_joined_call_aborts_with_its_exception(long account)
    {
        account += _first;
        _incoming.On(nameof(IAccount.Deposit), static async context =>
        {
            await context.Invoke();
            throw new InvalidOperationException("not today");
        });

        var exception = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => Teller.Transfer(account + 100, account, 0));

        Assert.Equal("not today", Assert.IsType<InvalidOperationException>(exception.InnerException).Message);
        Assert.Equal(1, _incoming.Calls);
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task A_filter_that_runs_a_joined_call_twice_has_it_happen_twice(long account)
    {
        account += _first;
        await Account(account + 100).Deposit(5);
        _incoming.On(nameof(IAccount.Deposit), static async context =>
        {
            await context.Invoke();
            await context.Invoke();
        });

        await Teller.Transfer(account + 100, account, 5);

        Assert.Equal((0, 10), (await Account(account + 100).GetBalance(), await Account(account).GetBalance()));
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task A_filter_that_runs_a_failed_joined_call_again_gets_the_same_exception(long account)
    {
        account += _first;
        _incoming.On(nameof(IAccount.Withdraw), static async context =>
        {
            var first = await Record.ExceptionAsync(context.Invoke);
            var second = await Record.ExceptionAsync(context.Invoke);
            Assert.Equal(first!.Message, second!.Message);
        });

        var exception = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(
            () => Teller.Transfer(account, account + 100, 1));

        Assert.Equal("Insufficient funds.", exception.InnerException!.Message);
        Assert.Equal(1, _incoming.Calls);
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task A_conflict_that_a_filter_puts_another_exception_in_the_place_of_is_tried_again(long account)
    {
        account += _first;
        // An older one holds the account, so that whoever comes there dies.
        var holder = _grains.GetGrain<IWatched>(1_000 + account).Double(account);
        await WatchedGrain.Reached(1_000 + account);
        var died = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _incoming.On(nameof(IAccount.Deposit), async context =>
        {
            if (await Record.ExceptionAsync(context.Invoke) is null) return;
            died.TrySetResult();
            throw new InvalidOperationException("Something has gone wrong.");
        });

        var transfer = Teller.Transfer(account + 100, account, 0);
        await died.Task.WaitAsync(TimeSpan.FromMinutes(1));
        WatchedGrain.Release(1_000 + account);

        await transfer;
        await holder;

        // The one that died, the one that did not, and the holder's own.
        Assert.InRange(_incoming.Calls, 3, int.MaxValue);
    }

    private ITeller Teller => _grains.GetGrain<ITeller>(0);

    private ICareful Careful => _grains.GetGrain<ICareful>(0);

    private IAccount Account(long account) => _grains.GetGrain<IAccount>(account);

    /// <summary>What filters of either end see thrown, without what Orleans puts around it.</summary>
    private ConcurrentQueue<string> Watch(string method)
    {
        var seen = new ConcurrentQueue<string>();
        _incoming.On(method, context => SeeAsync("incoming", context));
        _outgoing.On(method, context => SeeAsync("outgoing", context));
        return seen;

        async Task SeeAsync(string end, IGrainCallContext context)
        {
            try
            {
                await context.Invoke();
            }
            catch (OrleansTransactionAbortedException exception)
            {
                seen.Enqueue($"{end}: {exception.InnerException?.Message}");
                throw;
            }
        }
    }

    private static async Task SwallowAsync(IGrainCallContext context) => await Record.ExceptionAsync(context.Invoke);
}
