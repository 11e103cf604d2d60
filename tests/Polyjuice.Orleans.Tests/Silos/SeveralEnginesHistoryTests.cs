using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Orleans.Tests.Isolation;
using Polyjuice.Orleans.Tests.Rows;
using Polyjuice.Testing;
using Polyjuice.Tests.Storages;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>What clients of silos with more engines than one were told, judged.</summary>
public sealed class SeveralEnginesHistoryTests
{
    private const int Accounts = 24;

    [Theory]
    [InlineData("occ")]
    [InlineData("ic3")]
    [InlineData("locking")]
    public async Task Histories_are_strictly_serializable(string policy)
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1, silo => ConfigureTwo(silo, policy));

        var report = await RecordedLists.JudgeAsync(cluster.Client, lists => lists.CommitMoreAsync(300));

        Assert.True(report.IsValid, report.ToString());
    }

    [Theory]
    [InlineData(StorageKind.Grain)]
    [InlineData(StorageKind.State)]
    public async Task Histories_of_rows_stay_strictly_serializable_while_silos_die_and_join(StorageKind kind)
    {
        var rows = new StoredRows();
        await using var cluster = await SiloChurn.StartAsync(silo =>
        {
            if (kind == StorageKind.Grain) silo.AddStoredGrainStorage("Default", rows);
            else silo.AddStoredStateStorageAsDefault(rows);
            ConfigureTwo(silo, "ic3");
        });

        var report = await RecordedLists.JudgeAsync(cluster.Client, lists => SiloChurn.RunAsync(cluster, lists));

        Assert.True(report.IsValid, report.ToString());
        Assert.NotEmpty(rows.Keys);
    }

    [Theory]
    [InlineData("occ", 2, 31)]
    [InlineData("ic3", 2, 32)]
    [InlineData("locking", 3, 33)]
    [InlineData("2pl-star", 2, 34)]
    public async Task Histories_stay_strictly_serializable_under_faults(string policy, int engines, int seed)
    {
        await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
        {
            (options.Silos, options.EnginesPerSilo, options.Policy) = (3, engines, policy);
            (options.Partitions, options.RecordsHistory) = (12, true);
            options.ResponseTimeout = TimeSpan.FromSeconds(3);
        });
        for (var key = 0; key < Accounts; key++) await cluster.Grains.GetGrain<IAccount>(key).Deposit(1_000);
        cluster.Faults = new ClusterFaults { Seed = seed, FaultsMax = 12 }
            .Every(FaultKind.Crash, TimeSpan.FromSeconds(1)).Every(FaultKind.Disconnection, TimeSpan.FromSeconds(0.5))
            .Every(FaultKind.Deposition, TimeSpan.FromSeconds(2)).Every(FaultKind.BatchLoss, TimeSpan.FromSeconds(1))
            .Every(FaultKind.AppendFailure, TimeSpan.FromSeconds(1));

        do await cluster.RunAsync(TransferAsync, options => options.Calls = 200);
        while (cluster.FaultLedger!.Entries.Count < 8);
        await cluster.SettleAsync();

        var sum = await cluster.Grains.GetGrain<ITeller>(0)
            .Sum([.. Enumerable.Range(0, Accounts).Select(key => (long)key)]);
        Assert.Equal(Accounts * 1_000, sum);
        await cluster.RequireAsync();
    }

    private static void ConfigureTwo(ISiloBuilder silo, string policy)
    {
        silo.Configure<MemoryLogOptions>(logs => logs.Partitions = 12);
        silo.Configure<PolyjuiceOptions>(options => (options.EnginesPerSilo, options.Policy) = (2, policy));
    }

    private static async Task TransferAsync(WorkloadClient client)
    {
        var from = client.Random.Next(Accounts);
        var to = (from + 1 + client.Random.Next(Accounts - 1)) % Accounts;
        try
        {
            await client.Grains.GetGrain<ITeller>(client.Random.Next(8)).Transfer(from, to, 1);
        }
        catch (Exception exception) when (exception is OrleansTransactionException or TimeoutException
            or OrleansException)
        {
            // A fault: the history says what became of it.
        }
    }
}
