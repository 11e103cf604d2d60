using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>
/// An owner takes a transaction for committed or aborted from now on;
/// or for one that can never commit, of which it knew nothing (V4).
/// </summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Id">The attempt.</param>
/// <param name="Committed">Which of the two.</param>
internal readonly record struct BranchEnded(NodeId Node, int Partition, TransactionId Id, bool Committed);
