using Polyjuice.Benchmarking.Clusters;

namespace Tpcc;

/// <summary>What the sample does by the embedded host.</summary>
internal static class GrainHost
{
    /// <summary>Starts a cluster to measure.</summary>
    public static Task<IBenchmarkCluster> StartAsync(ClusterShape shape) => EmbeddedBenchmarkCluster.StartAsync(shape);

    /// <summary>The same, for who wants to record what it does.</summary>
    public static Task<ITracingCluster> StartTraceableAsync(ClusterShape shape) => EmbeddedBenchmarkCluster.StartTraceableAsync(shape);
}
