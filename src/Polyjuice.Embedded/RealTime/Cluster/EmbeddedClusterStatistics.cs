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
            sum.Engine.Add(node.Engine.Statistics);
        }

        return sum;
    }
}
