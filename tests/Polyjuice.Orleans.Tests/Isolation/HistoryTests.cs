using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Orleans.Tests.Clusters;

namespace Polyjuice.Orleans.Tests.Isolation;

public sealed class HistoryTests
{
    [Theory]
    [InlineData("occ", 1)]
    [InlineData("ic3", 2)]
    [InlineData("locking", 2)]
    public async Task Histories_are_strictly_serializable(string policy, int silos)
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(
            silos, silo => silo.Configure<PolyjuiceOptions>(options => options.Policy = policy));

        var report = await RecordedLists.JudgeAsync(cluster.Client, lists => lists.CommitMoreAsync(300));

        Assert.True(report.IsValid, report.ToString());
    }

    [Fact]
    public async Task Histories_stay_strictly_serializable_while_silos_die_and_join()
    {
        await using var cluster = await SiloChurn.StartAsync(
            silo => silo.Configure<PolyjuiceOptions>(options => options.Policy = "ic3"));

        var report = await RecordedLists.JudgeAsync(cluster.Client, lists => SiloChurn.RunAsync(cluster, lists));

        Assert.True(report.IsValid, report.ToString());
    }
}
