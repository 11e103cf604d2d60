using Polyjuice.Embedded.Invocation;

namespace Polyjuice.Embedded.Tests.RealTime;

/// <summary>Clusters for tests, and where in them grains are.</summary>
internal static class TestCluster
{
    /// <summary>A cluster without the grain classes that exist to be refused, and with patience: what a test does not make short must succeed, however long the machine stands still.</summary>
    public static Task<EmbeddedCluster> StartAsync(int silos = 1, Action<EmbeddedClusterOptions>? configure = null)
    {
        var options = new EmbeddedClusterOptions
        {
            Silos = silos,
            Seed = 1,
            ResponseTimeout = TimeSpan.FromMinutes(4),
            Engine = { TransactionTimeoutMicroseconds = 180_000_000 },
            GrainClassFilter = type => type.Namespace!.StartsWith("Polyjuice.Embedded.Tests.RealTime", StringComparison.Ordinal),
        };
        configure?.Invoke(options);
        return EmbeddedCluster.StartAsync(options);
    }

    /// <summary>A key of a grain that lives on a given silo as long as all silos run.</summary>
    public static string KeyOn<TGrain>(this EmbeddedCluster cluster, int silo, string prefix = "k") where TGrain : IGrainWithStringKey
    {
        for (var i = 0; ; i++)
        {
            var key = prefix + i;
            var reference = (GrainReference)(object)cluster.Client.GetGrain<TGrain>(key);
            if (cluster.Runtime.Partitions.Of(reference.Id) % cluster.Silos.Count == silo) return key;
        }
    }

    /// <summary>A reference to a grain that lives on a given silo.</summary>
    public static TGrain GrainOn<TGrain>(this EmbeddedCluster cluster, int silo, string prefix = "k") where TGrain : IGrainWithStringKey =>
        cluster.Client.GetGrain<TGrain>(cluster.KeyOn<TGrain>(silo, prefix));
}
