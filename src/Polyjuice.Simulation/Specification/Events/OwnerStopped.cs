using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An owner serves no longer: it was deposed, or has let go.</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">The log.</param>
/// <param name="Epoch">Its epoch; 0 when it never served.</param>
internal readonly record struct OwnerStopped(NodeId Node, int Partition, long Epoch);
