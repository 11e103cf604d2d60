using Polyjuice.Benchmarking.Clusters;

namespace Polyjuice.Benchmarking.Experiments;

/// <summary>How settings are written beside results, the same in all experiments.</summary>
internal static class ClusterText
{
    /// <summary>A cluster.</summary>
    public static string Of(ClusterShape shape) =>
        FormattableString.Invariant($"{shape.Silos} silo(s), {shape.NetworkLatency.TotalMilliseconds:0.###} ms a message, {shape.AppendLatency.TotalMilliseconds:0.###} ms an append");
}
