namespace Polyjuice.Lab.Clusters;

/// <summary>Starts clusters to measure, by the engine that a shape names.</summary>
internal static class BenchmarkClusters
{
    /// <summary>Starts one.</summary>
    /// <exception cref="NotSupportedException">
    /// The engine can't be what the shape asks for; the message says why.
    /// </exception>
    public static Task<IBenchmarkCluster> StartAsync(ClusterShape shape)
    {
        ArgumentNullException.ThrowIfNull(shape);
        return shape.Engine.Kind == BenchmarkEngineKind.Polyjuice
            ? PolyjuiceBenchmarkCluster.StartAsync(shape)
            : BareBenchmarkCluster.StartAsync(shape);
    }

    /// <summary>
    /// Whether an engine can be measured on a shape: Orleans' own keeps states
    /// with a storage provider, and has none in local files or in a server.
    /// </summary>
    public static bool CanStart(ClusterShape shape)
    {
        ArgumentNullException.ThrowIfNull(shape);
        return shape.Engine.Kind != BenchmarkEngineKind.Orleans || (shape.DataFolder is null && shape.Logs is null);
    }
}
