using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A participant forgets that a transaction committed (V6).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Id">The attempt.</param>
internal readonly record struct OutcomeForgotten(NodeId Node, int Partition, TransactionId Id);
