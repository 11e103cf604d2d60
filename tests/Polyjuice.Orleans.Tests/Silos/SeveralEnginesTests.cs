using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.TestingHost;
using Orleans.Transactions;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Tests.Shared;
using Polyjuice.Tracing;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>Silos with more engines than one.</summary>
public sealed class SeveralEnginesTests
{
    private const int Accounts = 24;

    [Theory]
    [InlineData(1, 2)]
    [InlineData(2, 2)]
    [InlineData(2, 3)]
    public async Task Transfers_over_engines_neither_make_nor_lose_money(int silos, int engines)
    {
        await using var cluster = await StartAsync(silos, _ => engines);
        await OpenAsync(cluster);
        var load = new TransferLoad(cluster.Client, Accounts);
        var clients = load.Start(8);
        try
        {
            await load.CommitMoreAsync(600);
        }
        finally
        {
            await load.StopAsync(clients);
        }

        Assert.Empty(load.Failures);
        Assert.Equal((Accounts * 100) + load.Deposited, await SumAsync(cluster));

        // Silos' addresses decide which engine owns what, so now and then one has no account.
        var used = EnginesOf(cluster).Where(engine => HasAccount(cluster, engine)).ToArray();
        Assert.InRange(used.Length, 2, silos * engines);
        Assert.All(used, engine => Assert.True(engine.Engine.Statistics.Commits > 0));
        Assert.All(used, engine => Assert.True(engine.Engine.Statistics.MessagesSent > 0));
    }

    [Fact]
    public async Task All_grains_of_a_partition_share_an_engine_that_serves_it()
    {
        await using var cluster = await StartAsync(1, _ => 2);
        await OpenAsync(cluster);
        var engines = EnginesOf(cluster).ToArray();
        var places = engines[0].Places;
        var owned = Enumerable.Range(0, places.Partitions).Select(places.View.Map.OwnerOf).ToArray();

        Assert.All(engines, engine => Assert.Contains(engine.Node, owned));
        for (var key = 0; key < Accounts; key++)
        {
            var grain = cluster.Client.GetGrain<IAccount>(key).GetGrainId();
            var owner = owned[places.PartitionOf(grain)];
            var (own, others) = (CommitsOf(engines, owner), CommitsOfOthers(engines, owner));
            await cluster.Client.GetGrain<IAccount>(key).Deposit(1);
            Assert.Equal(others, CommitsOfOthers(engines, owner));
            Assert.True(CommitsOf(engines, owner) > own);
        }
    }

    [Fact]
    public async Task A_silo_that_joins_and_one_that_leaves_move_partitions_between_engines_and_fail_nothing()
    {
        // With as many partitions, some stay on their silo and change their engine.
        await using var cluster = await StartAsync(
            2, _ => 3, silo => silo.Configure<MemoryLogOptions>(logs => logs.Partitions = 192), usesClient: true);
        await OpenAsync(cluster);
        var load = new TransferLoad(cluster.Client, Accounts);
        var clients = load.Start(8);
        try
        {
            await load.CommitMoreAsync(200);
            var before = EnginesOf(cluster).First().Places.View.Map;
            await cluster.StartAdditionalSiloAsync();
            await load.CommitMoreAsync(300);
            var joined = NodeIds.SiloOf(NodeIds.Of(cluster.Silos[^1].SiloAddress));
            await WhenAsync(() => HasPartition(EnginesOf(cluster).First().Places.View.Map, joined));
            var after = EnginesOf(cluster).First().Places.View.Map;
            Assert.Contains(
                Enumerable.Range(0, before.Count),
                partition => before.OwnerOf(partition) != after.OwnerOf(partition)
                    && NodeIds.SiloOf(before.OwnerOf(partition)) == NodeIds.SiloOf(after.OwnerOf(partition)));
            await cluster.StopSiloAsync(cluster.Silos[1]);
            await load.CommitMoreAsync(300);
        }
        finally
        {
            await load.StopAsync(clients);
        }

        Assert.Empty(load.Failures);
        var made = await SumAsync(cluster) - (Accounts * 100);
        Assert.InRange(made, load.Deposited, load.Deposited + load.Unanswered);
    }

    [Fact]
    public async Task Silos_may_differ_in_their_numbers_of_engines()
    {
        await using var cluster = await StartAsync(3, silo => silo + 1);
        await OpenAsync(cluster);
        var load = new TransferLoad(cluster.Client, Accounts);
        var clients = load.Start(6);
        try
        {
            await load.CommitMoreAsync(300);
        }
        finally
        {
            await load.StopAsync(clients);
        }

        Assert.Empty(load.Failures);
        Assert.Equal((Accounts * 100) + load.Deposited, await SumAsync(cluster));
        await WhenAsync(() => cluster.Silos.All(silo => cluster.Silos.Select(other =>
            SiloOf(silo).Places.View.EnginesOf(other.SiloAddress)).Order().SequenceEqual([1, 2, 3])));
    }

    [Fact]
    public async Task A_client_s_transaction_and_nested_ones_run_over_engines()
    {
        await using var cluster = await StartAsync(1, _ => 3, usesClient: true);
        await OpenAsync(cluster);
        var transactions = cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>();
        for (var round = 0; round < 10; round++)
        {
            await transactions.RunTransaction(
                TransactionOption.Create,
                async () =>
                {
                    for (var key = 0; key < 6; key++) await cluster.Client.GetGrain<IAccount>(key).Withdraw(1);
                    await Task.WhenAll(Enumerable.Range(6, 6).Select(key =>
                        cluster.Client.GetGrain<IAccount>(key).Deposit(1)));
                });
        }

        Assert.Equal(90, await cluster.Client.GetGrain<IAccount>(0).GetBalance());
        Assert.Equal(110, await cluster.Client.GetGrain<IAccount>(11).GetBalance());
        Assert.Equal(Accounts * 100, await SumAsync(cluster));
    }

    [Fact]
    public async Task An_exception_on_another_engine_aborts_and_reaches_the_caller()
    {
        await using var cluster = await StartAsync(1, _ => 2);
        await OpenAsync(cluster);
        for (var key = 0; key < 8; key++)
        {
            var aborted = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
                () => cluster.Client.GetGrain<ITeller>(0).Transfer(key, key + 1, 1_000));
            Assert.IsType<InvalidOperationException>(aborted.InnerException);
        }

        Assert.Equal(Accounts * 100, await SumAsync(cluster));
    }

    [Fact]
    public async Task Each_engine_records_and_the_counts_are_the_silo_s()
    {
        await using var cluster = await StartAsync(1, _ => 2);
        var sink = new MemoryTraceSink();
        var silo = SiloOf(cluster.Silos[0]);
        silo.StartTrace(new TraceRecorderOptions(), sink);
        Assert.Throws<InvalidOperationException>(() => silo.StartTrace(new TraceRecorderOptions(), sink));
        await OpenAsync(cluster);
        var counts = await silo.StopTraceAsync();

        Assert.Equal(2, counts.Files);
        Assert.True(counts.Attempts >= Accounts);
        Assert.Equal(default, await silo.StopTraceAsync());
        silo.StartTrace(new TraceRecorderOptions(), sink);
        await silo.StopTraceAsync();
    }

    [Theory]
    [InlineData(1, 4)]
    [InlineData(3, 12)]
    public async Task A_new_log_in_memory_has_partitions_for_all_engines(int engines, int partitions)
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(
            1, silo => silo.Configure<PolyjuiceOptions>(options => options.EnginesPerSilo = engines));

        Assert.Equal(partitions, SiloOf(cluster.Silos[0]).Readiness.Partitions);
    }

    [Fact]
    public async Task A_new_log_in_files_has_partitions_for_all_engines_and_an_old_one_keeps_its_number()
    {
        using var folder = new TestFolder();
        Assert.Equal(3, await PartitionsAsync(3));
        Assert.Equal(3, await PartitionsAsync(4));

        async Task<int> PartitionsAsync(int engines)
        {
            await using var cluster = await PolyjuiceCluster.StartAsync(1, silo => silo
                .Configure<PolyjuiceOptions>(options => options.EnginesPerSilo = engines)
                .AddFileLogAsDefault(logs => logs.Directory = folder.Path));
            await cluster.Client.GetGrain<IAccount>(1).Deposit(1);
            return SiloOf(cluster.Silos[0]).Readiness.Partitions;
        }
    }

    [Fact]
    public async Task A_silo_is_as_well_as_the_worst_of_its_engines()
    {
        await using var cluster = await StartAsync(1, _ => 2);
        await OpenAsync(cluster);
        var silo = SiloOf(cluster.Silos[0]);
        var sum = silo.Statistics!;
        Assert.Equal(silo.Engines.Sum(engine => engine.Engine.Statistics.Commits), sum.Commits);
        Assert.True(silo.Readiness.IsReady, silo.Readiness.ToString());
        Assert.Equal(silo.Readiness.Partitions, silo.Readiness.Owned);
        Assert.False(silo.HasFailed);

        var last = silo.Engines[^1];
        using (last.Turn.Enter()) last.Engine.Fail(new InvalidOperationException("an invariant is broken"));
        Assert.True(silo.HasFailed);
        Assert.False(silo.Readiness.IsReady);
    }

    private static long[] Keys => [.. Enumerable.Range(0, Accounts).Select(key => (long)key)];

    // The number of a silo counts them as they are configured.
    private static Task<InProcessTestCluster> StartAsync(
        int silos, Func<int, int> engines, Action<ISiloBuilder>? configure = null, bool usesClient = false)
    {
        var started = -1;
        return PolyjuiceCluster.StartAsync(
            silos,
            silo =>
            {
                var count = engines(Interlocked.Increment(ref started));
                silo.Configure<PolyjuiceOptions>(options => options.EnginesPerSilo = count);
                silo.Configure<MemoryLogOptions>(logs => logs.Partitions = 12);
                configure?.Invoke(silo);
            },
            usesClient ? client => client.UsePolyjuice() : null);
    }

    // A silo hears of others a moment after they have started.
    private static async Task WhenAsync(Func<bool> isSo)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        while (!isSo()) await Task.Delay(10, patience.Token);
    }

    private static bool HasPartition(PartitionMap map, long silo) =>
        Enumerable.Range(0, map.Count).Any(partition => NodeIds.SiloOf(map.OwnerOf(partition)) == silo);

    private static PolyjuiceSilo SiloOf(InProcessSiloHandle silo) =>
        silo.ServiceProvider.GetRequiredService<PolyjuiceSilo>();

    private static IEnumerable<SiloEngine> EnginesOf(InProcessTestCluster cluster) =>
        cluster.Silos.SelectMany(silo => SiloOf(silo).Engines);

    private static bool HasAccount(InProcessTestCluster cluster, SiloEngine engine) => Keys.Any(key =>
        engine.Places.View.Map.OwnerOf(engine.Places.PartitionOf(cluster.Client.GetGrain<IAccount>(key).GetGrainId()))
            == engine.Node);

    private static long CommitsOf(SiloEngine[] engines, Contracts.NodeId node) =>
        engines.Where(engine => engine.Node == node).Sum(engine => engine.Engine.Statistics.Commits);

    private static long CommitsOfOthers(SiloEngine[] engines, Contracts.NodeId node) =>
        engines.Where(engine => engine.Node != node).Sum(engine => engine.Engine.Statistics.Commits);

    private static async Task OpenAsync(InProcessTestCluster cluster)
    {
        for (var key = 0; key < Accounts; key++) await cluster.Client.GetGrain<IAccount>(key).Deposit(100);
    }

    private static Task<int> SumAsync(InProcessTestCluster cluster) =>
        cluster.Client.GetGrain<ITeller>(0).Sum(Keys);
}
