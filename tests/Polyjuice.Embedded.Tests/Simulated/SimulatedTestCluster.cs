using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Tests.Simulated;

/// <summary>Simulated clusters for tests.</summary>
internal static class SimulatedTestCluster
{
    /// <summary>A cluster with the grains of these tests and of those in real time.</summary>
    public static SimulatedEmbeddedCluster Start(ulong seed = 1, int silos = 3, Action<EmbeddedClusterOptions>? configure = null, SimulationOptions? simulation = null)
    {
        var options = new EmbeddedClusterOptions { Silos = silos, GrainClassFilter = IsTestGrain };
        options.ApplicationAssemblies.Add(typeof(SimulatedTestCluster).Assembly);
        configure?.Invoke(options);
        return EmbeddedCluster.Simulate(options, (simulation ?? new SimulationOptions()) with { Seed = seed });
    }

    /// <summary>A key of a grain that lives on a given silo as long as all silos run.</summary>
    public static string KeyOn<TGrain>(this SimulatedEmbeddedCluster cluster, int silo) where TGrain : IGrainWithStringKey
    {
        for (var i = 0; ; i++)
        {
            var id = cluster.Client.GetGrain<TGrain>($"k{i}").GetGrainId();
            if (StableHash.Partition(id.ToString(), cluster.Partitions) % cluster.Silos.Count == silo) return $"k{i}";
        }
    }

    private static bool IsTestGrain(Type type) =>
        type.Namespace == typeof(SimulatedTestCluster).Namespace || type.Namespace == typeof(RealTime.IAccount).Namespace;
}
