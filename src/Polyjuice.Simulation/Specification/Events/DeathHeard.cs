using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A node hears that another is dead: it takes nothing from it any more.</summary>
/// <param name="Node">Who hears it.</param>
/// <param name="Dead">Of whom.</param>
internal readonly record struct DeathHeard(NodeId Node, NodeId Dead);
