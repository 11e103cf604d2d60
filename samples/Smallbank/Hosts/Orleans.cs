using Microsoft.Extensions.Logging;
using Orleans.Hosting;
using Polyjuice.Benchmarking.Clusters;

namespace Smallbank;

/// <summary>What the sample does by Orleans.</summary>
internal static class GrainHost
{
    /// <summary>Where the first payment is kept by default.</summary>
    public const string DefaultData = "data";

    /// <summary>The name of the place that ends with the process.</summary>
    public const string Memory = "memory";

    /// <summary>Sets where a silo keeps its logs, and what else this host needs.</summary>
    public static void Configure(ISiloBuilder silo, string data)
    {
        // Advice for servers, which this is not.
        silo.ConfigureLogging(logging => logging.AddFilter("Orleans.Runtime", LogLevel.Error));
        if (data == Memory) silo.AddMemoryLogAsDefault();
        else silo.AddFileLogAsDefault(options => options.Directory = data);
    }

    /// <summary>Starts a cluster to measure.</summary>
    public static Task<IBenchmarkCluster> StartAsync(ClusterShape shape) => OrleansBenchmarkCluster.StartAsync(shape);

    /// <summary>The same, for who wants to record what it does: not by this host.</summary>
    /// <exception cref="ArgumentException">Always.</exception>
    public static Task<ITracingCluster> StartTraceableAsync(ClusterShape shape) =>
        throw new ArgumentException("--train adds delays to messages and appends, which only the embedded host can: leave out -p:GrainHost=Orleans. How silos on Orleans are recorded is in docs/traces.md.");
}
