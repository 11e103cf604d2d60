using Orleans;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Isolation;
using Polyjuice.Policies;

namespace Polyjuice.Testing.Tests.Histories;

public sealed class HistoryTests
{
    private const int Ledgers = 6;

    [Theory]
    [InlineData("occ")]
    [InlineData("ic3")]
    [InlineData("locking")]
    [InlineData("dirty-public")]
    [InlineData("reserve")]
    public async Task Histories_of_the_applications_own_grains_are_judged(string policy)
    {
        await using var cluster = await StartAsync(policy);

        var result = await cluster.RunAsync(MoveAsync, options => options.Calls = 400);
        var report = cluster.Judge();

        Assert.True(report.IsValid, report.ToString());
        Assert.True(result.Committed > 100, result.ToString());
        Assert.True(report.Size.Committed >= result.Committed, $"{report.Size} of {result}");
        Assert.True(report.Size.Edges > result.Committed);
    }

    [Fact]
    public async Task What_the_application_refuses_is_aborted_and_nobody_sees_it()
    {
        await using var cluster = await StartAsync("dirty-public");

        var result = await cluster.RunAsync(
            client => client.Random.Next(2) == 0
                ? client.Grains.GetGrain<ILedger>(client.Random.Next(3)).Overdraw(client.Random.Next(3, 6))
                : MoveAsync(client),
            options => options.Calls = 300);
        var report = cluster.Judge();

        Assert.True(result.Refused > 50, result.ToString());
        Assert.True(report.IsValid, report.ToString());
        Assert.True(report.Size.Aborted >= result.Refused, report.ToString());
    }

    [Fact]
    public async Task Histories_stay_valid_under_crashes_and_lost_batches()
    {
        await using var cluster = await StartAsync(
            "ic3",
            options => (options.Silos, options.Partitions, options.ResponseTimeout) = (3, 6, TimeSpan.FromSeconds(3)));
        cluster.Faults = new ClusterFaults { Seed = 5, FaultsMax = 6 }
            .Every(FaultKind.Crash, TimeSpan.FromSeconds(1)).Every(FaultKind.BatchLoss, TimeSpan.FromSeconds(0.7))
            .Every(FaultKind.AppendFailure, TimeSpan.FromSeconds(0.7));

        await cluster.RunAsync(
            MoveAsync, options => (options.Commits, options.Time) = (4_000, TimeSpan.FromMinutes(3)));
        await cluster.SettleAsync();
        await cluster.RunAsync(MoveAsync, options => options.Calls = 50);

        await cluster.RequireAsync();
    }

    [Fact]
    public async Task Orleans_own_transactions_are_recorded_too()
    {
        var recorder = new HistoryRecorder();
        var builder = new InProcessTestClusterBuilder(1);
        builder.ConfigureSilo(
            (_, silo) => silo.AddMemoryGrainStorageAsDefault().UseTransactions().RecordHistory(recorder));
        await using var cluster = builder.Build();
        await cluster.DeployAsync();

        for (var i = 0; i < 20; i++) await cluster.Client.GetGrain<ILedger>(i % 2).Move([2, 3], 1);

        var report = recorder.Judge();
        Assert.True(report.IsValid, report.ToString());
        Assert.Equal(20, report.Size.Committed);
    }

    [Fact]
    public async Task A_cluster_that_records_nothing_says_what_to_set()
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options => options.Silos = 1);
        Assert.Contains(
            nameof(PolyjuiceTestClusterOptions.RecordsHistory),
            Assert.Throws<InvalidOperationException>(() => cluster.Judge()).Message,
            StringComparison.Ordinal);
    }

    private static Task<PolyjuiceTestCluster> StartAsync(
        string policy, Action<PolyjuiceTestClusterOptions>? configure = null) =>
        PolyjuiceTestCluster.StartAsync(options =>
        {
            options.RecordsHistory = true;
            options.PolicyCompiler = BuiltinPolicies.Get(policy);
            configure?.Invoke(options);
        });

    private static async Task MoveAsync(WorkloadClient client)
    {
        var keys = Enumerable.Range(0, Ledgers).Select(key => (long)key).ToArray();
        client.Random.Shuffle(keys);
        var ledger = client.Grains.GetGrain<ILedger>(keys[0]);
        await (client.Random.Next(4) switch
        {
            0 => ledger.ReadAll(keys[1..3]),
            1 => client.Transactions.RunTransaction(TransactionOption.Create, async () =>
            {
                await ledger.Add(-1);
                await client.Grains.GetGrain<ILedger>(keys[1]).Add(1);
            }),
            _ => ledger.Move(keys[1..3], 1),
        });
    }
}
