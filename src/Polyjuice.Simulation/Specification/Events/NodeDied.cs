using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A node has crashed: it does nothing any more, and neither does its agent.</summary>
/// <param name="Node">Which.</param>
internal readonly record struct NodeDied(NodeId Node);
