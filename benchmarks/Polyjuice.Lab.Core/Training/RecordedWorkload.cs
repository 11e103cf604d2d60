using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Tracing;
using Polyjuice.Training.Replay;

namespace Polyjuice.Lab.Training;

/// <summary>
/// A workload that is recorded for some seconds to be trained on
/// at once: how it is recorded, and what it is replayed on.
/// </summary>
internal static class RecordedWorkload
{
    /// <summary>Chunks of a silo: nothing is to be dropped, and it is seconds.</summary>
    private const int ChunksMax = 256;

    /// <summary>How it is recorded.</summary>
    public static TraceRecorderOptions Options { get; } = new() { ChunksMax = ChunksMax };

    /// <summary>A replay on a cluster like another.</summary>
    /// <param name="shape">The cluster.</param>
    /// <param name="clients">Of the closed loop.</param>
    /// <param name="measured">Measured transactions; half as many warm up.</param>
    internal static ReplaySettings ReplayOn(ClusterShape shape, int clients, int measured)
    {
        ArgumentNullException.ThrowIfNull(shape);
        return new ReplaySettings
        {
            Clients = clients,
            Silos = shape.Silos,
            NetworkMicroseconds = (long)shape.NetworkLatency.TotalMicroseconds,
            AppendMicroseconds = (long)shape.AppendLatency.TotalMicroseconds,
        }.WithMeasured(measured);
    }

    /// <summary>Where the trace is from, for people.</summary>
    /// <param name="run">What was recorded: its first policy at its first θ.</param>
    public static string SourceOf(BenchmarkPlan run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{run.Workload.Name}, "
            + $"{run.Workload.Describe(run.Parameters)}{(run.Workload.HasSkew ? $", θ {run.Thetas[0]}" : "")}, "
            + $"{run.Clients} clients, {run.Shape.Silos} silos, {run.Shape.NetworkLatency.TotalMilliseconds} ms a "
            + $"message, {run.Shape.AppendLatency.TotalMilliseconds} ms an append, under {run.Policies[0].Name}");
    }
}
