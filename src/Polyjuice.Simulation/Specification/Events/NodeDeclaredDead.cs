using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>Membership says that a node is dead, to all but itself. It may live, and not know.</summary>
/// <param name="Node">Which.</param>
internal readonly record struct NodeDeclaredDead(NodeId Node);
