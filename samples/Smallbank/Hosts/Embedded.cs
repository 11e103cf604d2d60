using Orleans.Hosting;
using Polyjuice.Benchmarking.Clusters;
using Polyjuice.Embedded;

namespace Smallbank;

/// <summary>What the sample does by the embedded host.</summary>
internal static class GrainHost
{
    /// <summary>Where the first payment is kept by default.</summary>
    public const string DefaultData = EmbeddedClusterOptions.HostData;

    /// <summary>The name of the place that ends with the process.</summary>
    public const string Memory = EmbeddedCluster.MemoryData;

    /// <summary>Sets where a silo keeps its logs, and what else this host needs.</summary>
    public static void Configure(ISiloBuilder silo, string data) => silo.UseEmbeddedCluster(options => options.Data = data);

    /// <summary>Starts a cluster to measure.</summary>
    public static Task<IBenchmarkCluster> StartAsync(ClusterShape shape) => EmbeddedBenchmarkCluster.StartAsync(shape);

    /// <summary>The same, for who wants to record what it does.</summary>
    public static Task<ITracingCluster> StartTraceableAsync(ClusterShape shape) => EmbeddedBenchmarkCluster.StartTraceableAsync(shape);
}
