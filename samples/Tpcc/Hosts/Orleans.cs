using Polyjuice.Benchmarking.Clusters;

namespace Tpcc;

/// <summary>What the sample does by Orleans.</summary>
internal static class GrainHost
{
    /// <summary>Starts a cluster to measure.</summary>
    public static Task<IBenchmarkCluster> StartAsync(ClusterShape shape) => OrleansBenchmarkCluster.StartAsync(shape);

    /// <summary>The same, for who wants to record what it does: not by this host.</summary>
    /// <exception cref="ArgumentException">Always.</exception>
    public static Task<ITracingCluster> StartTraceableAsync(ClusterShape shape) =>
        throw new ArgumentException("--train adds delays to messages and appends, which only the embedded host can: leave out -p:GrainHost=Orleans. How silos on Orleans are recorded is in docs/traces.md.");
}
