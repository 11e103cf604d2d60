using Polyjuice.Embedded.Core;
using Polyjuice.Execution;

namespace Polyjuice.Embedded;

/// <summary>What a cluster's nodes have done, summed at one moment; values of running nodes may be slightly old.</summary>
public sealed class EmbeddedClusterStatistics
{
    private EmbeddedClusterStatistics()
    {
    }

    /// <summary>The engines' counters.</summary>
    public EngineStatistics Engine { get; } = new();

    /// <summary>Messages between nodes: calls, answers, and the engine's batches.</summary>
    public long Messages { get; private set; }

    /// <summary>Bytes of those.</summary>
    public long MessageBytes { get; private set; }

    /// <summary>Deliveries of those, each of one or more messages.</summary>
    public long MessageBatches { get; private set; }

    /// <summary>Grain calls within a silo.</summary>
    public long LocalCalls { get; private set; }

    internal static EmbeddedClusterStatistics Sum(IEnumerable<Node> nodes)
    {
        var sum = new EmbeddedClusterStatistics();
        foreach (var node in nodes)
        {
            sum.Messages += Volatile.Read(ref node.Counters.Messages);
            sum.MessageBytes += Volatile.Read(ref node.Counters.Bytes);
            sum.MessageBatches += Volatile.Read(ref node.Counters.Batches);
            sum.LocalCalls += Volatile.Read(ref node.Counters.LocalCalls);
            Add(sum.Engine, node.Engine.Statistics);
        }

        return sum;
    }

    private static void Add(EngineStatistics sum, EngineStatistics one)
    {
        sum.Commits += Volatile.Read(ref one.Commits);
        sum.Attempts += Volatile.Read(ref one.Attempts);
        sum.Waits += Volatile.Read(ref one.Waits);
        sum.WaitsEndedByDeadline += Volatile.Read(ref one.WaitsEndedByDeadline);
        sum.MessagesSent += Volatile.Read(ref one.MessagesSent);
        sum.MessageBatchesSent += Volatile.Read(ref one.MessageBatchesSent);
        sum.MessageBytesSent += Volatile.Read(ref one.MessageBytesSent);
        sum.Appends += Volatile.Read(ref one.Appends);
        sum.AppendBytes += Volatile.Read(ref one.AppendBytes);
        sum.Checkpoints += Volatile.Read(ref one.Checkpoints);
        sum.Resumes += Volatile.Read(ref one.Resumes);
        for (var reason = 0; reason < sum.AbortsByReason.Length; reason++)
            sum.AbortsByReason[reason] += Volatile.Read(ref one.AbortsByReason[reason]);
    }
}
