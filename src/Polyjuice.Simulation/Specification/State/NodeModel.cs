using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>A node: what it has heard of others, and which calls it has run.</summary>
internal sealed class NodeModel
{
    /// <summary>It has crashed.</summary>
    public bool IsDead { get; set; }

    /// <summary>Membership says that it is dead; it may live.</summary>
    public bool IsDeclaredDead { get; set; }

    /// <summary>The oldest live attempt of each agent that it has heard of (R1c); none of the dead has one.</summary>
    public Dictionary<NodeId, long> OldestLive { get; } = [];

    /// <summary>The calls that have run here (R1c).</summary>
    public HashSet<(TransactionId Id, NodeId Caller, long CallId)> Calls { get; } = [];

    /// <summary>The attempts that are in nobody's way any more here (Q1).</summary>
    public HashSet<TransactionId> Over { get; } = [];

    /// <summary>Those of them that are so since the turn began (Q5).</summary>
    public List<TransactionId> OverInTurn { get; } = [];

    /// <summary>The partitions that it owns, or is taking over.</summary>
    public Dictionary<int, OwnerModel> Owners { get; } = [];
}
