using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A node has done all that follows from what has happened so far.</summary>
/// <param name="Node">Which.</param>
internal readonly record struct TurnEnded(NodeId Node);
