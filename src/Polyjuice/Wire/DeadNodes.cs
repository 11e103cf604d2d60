using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Nodes that were declared dead. They never act again, and nothing is sent to them.</summary>
internal sealed class DeadNodes
{
    private readonly HashSet<NodeId> _dead = [];

    /// <returns>Whether that is news.</returns>
    public bool Add(NodeId node) => _dead.Add(node);

    public bool Contains(NodeId node) => _dead.Contains(node);
}
