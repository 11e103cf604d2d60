using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Orleans.Tests.Clusters;

namespace Polyjuice.Orleans.Tests.Isolation;

/// <summary>Silos of a cluster of three come and go while clients work on lists.</summary>
internal static class SiloChurn
{
    // A call that a dead silo has taken along is over, for the history, when nobody waits for its answer any more.
    private static readonly TimeSpan s_answer = TimeSpan.FromSeconds(5);

    /// <summary>A cluster for it.</summary>
    public static Task<InProcessTestCluster> StartAsync(Action<ISiloBuilder> configure) => PolyjuiceCluster.StartAsync(
        3,
        silo =>
        {
            silo.Configure<SiloMessagingOptions>(messaging => messaging.ResponseTimeout = s_answer);
            configure(silo);
        },
        client => client.Configure<ClientMessagingOptions>(messaging => messaging.ResponseTimeout = s_answer));

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
