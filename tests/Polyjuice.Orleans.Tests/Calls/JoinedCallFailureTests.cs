using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Calls;

/// <summary>
/// A call within a transaction that fails before the engine's part of
/// it runs: only what may be gone at the next attempt is tried again.
/// </summary>
public sealed class JoinedCallFailureTests : IAsyncLifetime
{
    private readonly Trouble _trouble = new();
    private global::Orleans.TestingHost.InProcessTestCluster? _cluster;

    // Of so many accounts some are on the teller's silo, and some on the other.
    public static TheoryData<long> Accounts => [.. Enumerable.Range(0, 4).Select(i => (long)i)];

    public async Task InitializeAsync() =>
        _cluster = await PolyjuiceCluster.StartAsync(
            2,
            silo => silo.AddIncomingGrainCallFilter(_trouble)
                .Configure<PolyjuiceOptions>(options => options.Engine.TransactionTimeoutMicroseconds = 2_000_000),
            client => client.UsePolyjuice());

    public async Task DisposeAsync() => await _cluster!.DisposeAsync();

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task What_a_filter_throws_is_the_cause_at_once(long account)
    {
        _trouble.Do = _ => throw new InvalidOperationException("not today");
        var exception = await FailAsync(account);
        Assert.Equal("not today", Assert.IsType<InvalidOperationException>(exception.InnerException).Message);
        Assert.Equal(1, _trouble.Calls);
        await WorksAgainAsync(account);
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task A_call_that_a_filter_keeps_from_running_aborts_and_says_so(long account)
    {
        _trouble.Do = context =>
        {
            context.Result = null!;
            return Task.CompletedTask;
        };
        var exception = await FailAsync(account);
        Assert.True(
            exception.ToString().Contains("has not invoked it", StringComparison.Ordinal), exception.ToString());
        Assert.Equal(1, _trouble.Calls);
        await WorksAgainAsync(account);
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task A_call_whose_silo_did_not_take_it_is_made_again_with_its_transaction(long account)
    {
        _trouble.Do = context => _trouble.Calls > 1
            ? context.Invoke()
            : throw new SiloUnavailableException("It has died.");
        await Teller.Transfer(account + 100, account, 0);
        Assert.Equal(2, _trouble.Calls);
    }

    [Theory]
    [MemberData(nameof(Accounts))]
    public async Task What_looks_like_a_failure_of_the_cluster_each_time_is_told_in_the_end(long account)
    {
        _trouble.Do = _ => throw new TimeoutException("the directory of users does not answer");
        var exception = await Assert.ThrowsAsync<TransactionConflictException>(
            () => Teller.Transfer(account + 100, account, 0));
        var cause = Assert.IsType<TimeoutException>(exception.InnerException);
        Assert.Contains("the directory of users", cause.Message, StringComparison.Ordinal);
        Assert.InRange(_trouble.Calls, 2, 1_000);
        await WorksAgainAsync(account);
    }

    [Fact]
    public async Task A_one_way_call_is_refused_at_once()
    {
        var exception = await Assert.ThrowsAnyAsync<OrleansTransactionException>(
            () => _cluster!.Client.GetGrain<IShouter>(1).CallOneWay(2));
        Assert.Contains("one-way", exception.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_activation_that_throws_is_the_cause_at_once()
    {
        var exception = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => _cluster!.Client.GetGrain<IShouter>(1).CallBroken(2));
        Assert.Contains("can't be activated", exception.ToString(), StringComparison.Ordinal);
        Assert.Equal(1, BrokenGrain.Activations);
    }

    private ITeller Teller => _cluster!.Client.GetGrain<ITeller>(0);

    private Task<OrleansTransactionException> FailAsync(long account) =>
        Assert.ThrowsAnyAsync<OrleansTransactionException>(() => Teller.Transfer(account + 100, account, 0));

    private async Task WorksAgainAsync(long account)
    {
        _trouble.Do = context => context.Invoke();
        await Teller.Transfer(account + 100, account, 0);
    }

    private sealed class Trouble : IIncomingGrainCallFilter
    {
        private int _calls;

        public int Calls => _calls;

        public Func<IIncomingGrainCallContext, Task> Do { private get; set; } = context => context.Invoke();

        public async Task Invoke(IIncomingGrainCallContext context)
        {
            if (context.MethodName != nameof(IAccount.Deposit))
            {
                await context.Invoke();
                return;
            }

            Interlocked.Increment(ref _calls);
            await Do(context);
        }
    }
}
