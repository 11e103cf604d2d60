using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>
/// At a node, an attempt is in nobody's way any more: all have ordered it, or its outcome is known (Q5).
/// </summary>
/// <param name="Node">Where.</param>
/// <param name="Id">The attempt.</param>
internal readonly record struct TransactionOver(NodeId Node, TransactionId Id);
