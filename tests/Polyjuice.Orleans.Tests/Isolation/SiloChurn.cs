using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;

namespace Polyjuice.Orleans.Tests.Isolation;

/// <summary>Silos of a cluster of three come and go while clients work on lists.</summary>
internal static class SiloChurn
{
    /// <summary>Has a silo's death noticed within about a second.</summary>
    public static ISiloBuilder NoticeDeathsSoon(this ISiloBuilder silo) => silo.Configure<ClusterMembershipOptions>(options =>
    {
        options.ProbeTimeout = TimeSpan.FromMilliseconds(500);
        options.NumMissedProbesLimit = 2;
    });

    /// <summary>One dies, one joins, one leaves in good order, and in between transactions commit.</summary>
    public static async Task RunAsync(InProcessTestCluster cluster, RecordedLists lists)
    {
        await lists.CommitMoreAsync(100);
        await cluster.KillSiloAsync(cluster.Silos[2]);
        await lists.CommitMoreAsync(100);
        await cluster.StartAdditionalSiloAsync();
        await lists.CommitMoreAsync(100);
        await cluster.StopSiloAsync(cluster.Silos[1]);
        await lists.CommitMoreAsync(100);
    }
}
