using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Orleans.Transactions;

namespace Polyjuice.Orleans.Tests.Transactions;

/// <summary>
/// Transactions that wait for their turn to begin, on a silo that opens few and whose places the test takes.
/// </summary>
public sealed class WaitingTransactionsTests
{
    [Fact]
    public async Task One_that_waits_to_begin_is_one_that_the_silo_has()
    {
        await using var cluster = await StartAsync(places: 1);
        var (open, silo) = (Open(cluster), Services(cluster).GetRequiredService<IPolyjuiceSilo>());
        Assert.False(silo.HasTransactions);
        await TakePlace(open);
        var waits = cluster.Client.GetGrain<INesting>(1).Begin();
        await AwaitHeld(open, 1);

        Assert.True(silo.HasTransactions);

        open.Leave(mayWait: true);
        await waits;
        Assert.False(silo.HasTransactions);
    }

    [Fact]
    public async Task One_that_has_waited_for_too_long_is_counted_and_its_caller_hears_that_the_silo_is_overloaded()
    {
        await using var cluster = await StartAsync(places: 1, TimeSpan.Zero);
        await TakePlace(Open(cluster));

        var call = cluster.Client.GetGrain<INesting>(1).Begin();
        var refusal = await Assert.ThrowsAsync<OrleansStartTransactionFailedException>(() => call);

        Assert.IsType<OrleansTransactionOverloadException>(refusal.InnerException);
        var statistics = Services(cluster).GetRequiredService<ITransactionAgentStatistics>();
        Assert.Equal((1, 0), (statistics.TransactionsThrottled, statistics.TransactionsStarted));
    }

    [Fact]
    public async Task One_that_another_waits_for_begins_before_those_that_came_after_that_other()
    {
        const long Key = 100;
        await using var cluster = await StartAsync(places: 2);
        var open = Open(cluster);
        var outer = cluster.Client.GetGrain<INesting>(Key).StartAnother();
        await NestingGrain.Reached(Key);
        await TakePlace(open);
        var came = cluster.Client.GetGrain<INesting>(Key + 2).Begin();
        await AwaitHeld(open, 1);

        NestingGrain.Release(Key);
        await AwaitHeld(open, 2);
        open.Leave(mayWait: true);

        Assert.True(await outer < await came);
    }

    [Fact]
    public async Task One_whose_call_is_made_again_keeps_the_age_of_the_first_time()
    {
        await using var cluster = await StartAsync(places: 1);
        var open = Open(cluster);
        await TakePlace(open);
        var since = CallAge.Now - 500_000;
        var came = cluster.Client.GetGrain<INesting>(1).Begin();
        await AwaitHeld(open, 1);
        var again = Task.Run(() =>
        {
            CallAge.Carry(since);
            return cluster.Client.GetGrain<INesting>(2).Begin();
        });
        await AwaitHeld(open, 2);

        open.Leave(mayWait: true);

        Assert.True(await again < await came);
    }

    private static Task<InProcessTestCluster> StartAsync(int places, TimeSpan? startWait = null)
    {
        return PolyjuiceCluster.StartAsync(1, silo => silo.Services.Configure<PolyjuiceOptions>(Configure));

        void Configure(PolyjuiceOptions options)
        {
            options.OpenTransactions = places;
            options.StartWait = startWait ?? TimeSpan.FromMinutes(1);
        }
    }

    private static IServiceProvider Services(InProcessTestCluster cluster) =>
        cluster.GetSiloServiceProvider(cluster.Silos[0].SiloAddress);

    private static OpenTransactions Open(InProcessTestCluster cluster) =>
        Services(cluster).GetRequiredService<OpenTransactions>();

    private static async Task TakePlace(OpenTransactions open) =>
        Assert.NotNull(await open.EnterAsync(mayWait: true, since: 0, CancellationToken.None));

    private static async Task AwaitHeld(OpenTransactions open, int count)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(1));
        while (open.Held < count) await Task.Delay(10, patience.Token);
    }
}
