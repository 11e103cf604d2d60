using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Tests.Storages;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Isolation;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>Histories of lists that a storage provider keeps, on real silos.</summary>
public sealed class RowHistoryTests
{
    private readonly StoredRows _rows = new();

    [Theory]
    [InlineData("occ", 1, StorageKind.Grain)]
    [InlineData("ic3", 2, StorageKind.Grain)]
    [InlineData("locking", 2, StorageKind.State)]
    public async Task Histories_are_strictly_serializable(string policy, int silos, StorageKind kind)
    {
        await using var cluster = await StartAsync(silos, policy, kind);

        var report = await RecordedLists.JudgeAsync(cluster.Client, lists => lists.CommitMoreAsync(300));

        Assert.True(report.IsValid, report.ToString());
        Assert.NotEmpty(_rows.Keys);
    }

    [Theory]
    [InlineData(StorageKind.Grain)]
    [InlineData(StorageKind.State)]
    public async Task Histories_are_strictly_serializable_when_stores_fail(StorageKind kind)
    {
        await using var cluster = await StartAsync(2, "ic3", kind);
        var faults = new RandomFaults(seed: 11, probability: 0.03);
        _rows.At = faults.At;

        var report = await RecordedLists.JudgeAsync(
            cluster.Client, lists => lists.CommitMoreAsync(150), () => _rows.At = static (_, _) => default);

        Assert.True(report.IsValid, report.ToString());
        Assert.NotEqual(0, faults.Count);
    }

    [Fact]
    public async Task Histories_stay_strictly_serializable_while_silos_die_and_join()
    {
        await using var cluster = await SiloChurn.StartAsync(silo => Configure(silo, "ic3", StorageKind.Grain));

        var report = await RecordedLists.JudgeAsync(cluster.Client, lists => SiloChurn.RunAsync(cluster, lists));

        Assert.True(report.IsValid, report.ToString());
    }

    private Task<global::Orleans.TestingHost.InProcessTestCluster> StartAsync(
        int silos, string policy, StorageKind kind) =>
        PolyjuiceCluster.StartAsync(silos, silo => Configure(silo, policy, kind));

    // The lists name no storage, so theirs is the default one.
    private void Configure(ISiloBuilder silo, string policy, StorageKind kind)
    {
        if (kind == StorageKind.Grain) silo.AddStoredGrainStorage("Default", _rows);
        else silo.AddStoredStateStorageAsDefault(_rows);
        silo.Configure<PolyjuiceOptions>(options => options.Policy = policy);
    }
}
