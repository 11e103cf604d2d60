using Orleans.TestingHost;

namespace Polyjuice.Orleans.Tests.Isolation;

/// <summary>Silos of a cluster of three come and go while clients work on lists.</summary>
internal static class SiloChurn
{
    /// <summary>
    /// One dies, one joins, one leaves in good order, and in between transactions
    /// commit. The one that dies still says so itself, so nobody has to find out by
    /// probes, by which silos of a machine that stalls would find each other dead.
    /// </summary>
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
