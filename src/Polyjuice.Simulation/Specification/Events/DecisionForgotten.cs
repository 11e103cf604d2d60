using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A manager decides to forget a commit (V6).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Id">The attempt.</param>
internal readonly record struct DecisionForgotten(NodeId Node, int Partition, TransactionId Id);
