using Polyjuice.Execution;
using Polyjuice.Hosting;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>A node: what it has heard of others, and which calls it has run.</summary>
internal sealed class NodeModel
{
    /// <summary>It has crashed.</summary>
    public bool IsDead { get; set; }

    /// <summary>The oldest live attempt of each agent that it has heard of (R1c).</summary>
    public Dictionary<NodeId, long> OldestLive { get; } = [];

    /// <summary>The calls that have run here (R1c).</summary>
    public HashSet<(TransactionId Id, NodeId Caller, long CallId)> Calls { get; } = [];

    /// <summary>The partitions that it owns, or is taking over.</summary>
    public Dictionary<int, OwnerModel> Owners { get; } = [];
}
