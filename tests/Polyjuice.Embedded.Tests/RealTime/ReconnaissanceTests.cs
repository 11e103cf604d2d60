using Polyjuice.Execution;
using Polyjuice.Policies;

namespace Polyjuice.Embedded.Tests.RealTime;

/// <summary>Dry runs and reservations of grain code.</summary>
public sealed class ReconnaissanceTests
{
    [Fact]
    public async Task A_marked_method_is_run_dry_and_its_code_can_tell()
    {
        await using var cluster = await TestCluster.StartAsync(2, options => options.PolicyName = "reserve");
        var (from, to) = (cluster.KeyOn<IAccount>(0, "from"), cluster.KeyOn<IAccount>(1, "to"));
        Assert.Equal(99, await cluster.Client.GetGrain<IScout>("marked").Move(from, [to]));
        Assert.Equal([true, false], ScoutGrain.RunsOf("marked"));
        Assert.Equal(101, await cluster.Client.GetGrain<IAccount>(to).Get());
        Assert.Equal(99, await cluster.Client.GetGrain<IAccount>(from).Get());
        Assert.False(TransactionContext.IsReconnaissance);
    }

    [Fact]
    public async Task An_unmarked_method_is_not()
    {
        await using var cluster = await TestCluster.StartAsync(2, options => options.PolicyName = "reserve");
        Assert.Equal(99, await cluster.Client.GetGrain<IScout>("unmarked").MoveUnmarked("a", ["b"]));
        Assert.Equal([false], ScoutGrain.RunsOf("unmarked"));
    }

    [Fact]
    public async Task Transfers_over_the_same_accounts_in_any_order_never_abort()
    {
        const int Clients = 16;
        const int Each = 20;
        await using var cluster = await TestCluster.StartAsync(2, options => options.PolicyName = "reserve");
        var keys = Enumerable.Range(0, 5).Select(i => cluster.KeyOn<IAccount>(i % 2, $"account{i}-")).ToArray();
        await Task.WhenAll(Enumerable.Range(0, Clients).Select(async client =>
        {
            for (var i = 0; i < Each; i++)
            {
                var from = keys[(client + i) % keys.Length];
                await cluster.Client.GetGrain<IScout>($"scout{client}").Move(from, [.. keys.Where(key => key != from).OrderBy(key => (key.GetHashCode() * 31) ^ i)]);
            }
        }));
        var sum = 0;
        foreach (var key in keys) sum += await cluster.Client.GetGrain<IAccount>(key).Get();
        Assert.Equal(500, sum);
        var statistics = cluster.Statistics.Engine;
        var aborts = string.Join(", ", statistics.AbortsByReason.Select((count, reason) => (count, (AbortReason)reason)).Where(abort => abort.count > 0));
        Assert.True(aborts.Length == 0, $"{aborts}; cut short {statistics.ReservationTimeouts}");
        Assert.Equal(Clients * Each, statistics.Reservations);
        Assert.Equal(0, statistics.AccessSetMisses);
    }
}
