using System.Diagnostics;
using Orleans.Transactions;
using Polyjuice.Execution;
using Polyjuice.Policies;

namespace Polyjuice.Embedded.Tests.RealTime;

public sealed class TransactionTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task A_users_exception_undoes_everything_and_arrives_inside_of_the_abort(int to)
    {
        await using var cluster = await TestCluster.StartAsync(2);
        var (left, right) = (cluster.KeyOn<IAccount>(0, "from"), cluster.KeyOn<IAccount>(to, "to"));
        var abort = await Assert.ThrowsAsync<OrleansTransactionAbortedException>(() => cluster.GrainOn<ITeller>(0).TransferThenThrow(left, right, 30));
        Assert.Equal("changed my mind", Assert.IsType<CustomException>(abort.InnerException).Message);
        Assert.Equal(AbortReason.UserException, abort.Abort!.Reason);
        Assert.Equal("ITeller.TransferThenThrow", abort.Abort.TransactionType);
        Assert.Equal(100, await cluster.Client.GetGrain<IAccount>(left).Get());
        Assert.Equal(100, await cluster.Client.GetGrain<IAccount>(right).Get());
    }

    [Fact]
    public async Task Committed_state_survives_the_death_of_its_silo()
    {
        await using var cluster = await TestCluster.StartAsync(2);
        var (left, right) = (cluster.GrainOn<IAccount>(0), cluster.GrainOn<IAccount>(1));
        await cluster.Client.GetGrain<ITeller>("t").Transfer(left.GetPrimaryKeyString(), right.GetPrimaryKeyString(), 30);
        await cluster.Silos[1].KillAsync();
        Assert.Equal(130, await right.Get());
        await cluster.Silos[1].RestartAsync();
        Assert.Equal(130, await right.Get());
        Assert.Equal(70, await left.Get());
    }

    [Fact]
    public async Task A_log_given_to_the_next_cluster_brings_the_states_back()
    {
        var logs = new Polyjuice.Storage.MemoryLogStore(4);
        await using (var first = await TestCluster.StartAsync(2, options => options.LogStore = logs))
            await first.Client.GetGrain<IAccount>("a").Add(11);
        await using var second = await TestCluster.StartAsync(1, options => options.LogStore = logs);
        Assert.Equal(4, second.Partitions);
        Assert.Equal(111, await second.Client.GetGrain<IAccount>("a").Get());
    }

    [Fact]
    public async Task A_policy_is_swapped_while_transactions_run()
    {
        await using var cluster = await TestCluster.StartAsync();
        await cluster.Client.GetGrain<IAccount>("a").Add(1);
        cluster.Policies.Swap(BuiltinPolicies.Get("locking"));
        await cluster.Client.GetGrain<IAccount>("a").Add(1);
        Assert.Equal("locking", cluster.Policies.Current.Name);
        Assert.Equal(102, await cluster.Client.GetGrain<IAccount>("a").Get());
    }

    [Fact]
    public async Task Slow_appends_delay_commits_and_lose_nothing()
    {
        await using var cluster = await TestCluster.StartAsync(1, options => options.AppendLatency = TimeSpan.FromMilliseconds(10));
        var started = Stopwatch.GetTimestamp();
        await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => cluster.Client.GetGrain<IAccount>("a").Add(1)));
        // The loops count in microseconds.
        Assert.True(Stopwatch.GetElapsedTime(started) >= TimeSpan.FromMilliseconds(9.9));
        Assert.Equal(120, await cluster.Client.GetGrain<IAccount>("a").Get());
    }
}
