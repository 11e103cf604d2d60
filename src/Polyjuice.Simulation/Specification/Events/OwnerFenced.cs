using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>The fence of a new owner is in its log; it reads the log next (L1).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">The log.</param>
/// <param name="Epoch">The position behind the fence.</param>
internal readonly record struct OwnerFenced(NodeId Node, int Partition, long Epoch);
