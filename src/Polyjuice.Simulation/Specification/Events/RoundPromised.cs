using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>
/// An owner makes sure that it never gets a prepare of a round that it has none of (V2, staged commits).
/// </summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Id">The attempt.</param>
/// <param name="Round">The round.</param>
internal readonly record struct RoundPromised(NodeId Node, int Partition, TransactionId Id, int Round);
