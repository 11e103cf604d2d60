using Polyjuice.Benchmarking.Clusters;

namespace Tpcc;

/// <summary>What the sample does by Orleans.</summary>
internal static class GrainHost
{
    /// <summary>Starts a cluster to measure.</summary>
    public static Task<IBenchmarkCluster> StartAsync(ClusterShape shape) => OrleansBenchmarkCluster.StartAsync(shape);
}
