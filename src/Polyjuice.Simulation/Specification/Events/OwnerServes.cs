using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An owner has read its log, and serves (L1, L2).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">The log.</param>
/// <param name="Epoch">Its epoch.</param>
/// <param name="Undecided">The transactions that it takes for prepared and undecided.</param>
internal readonly record struct OwnerServes(
    NodeId Node, int Partition, long Epoch, IReadOnlyCollection<TransactionId> Undecided)
{
    /// <summary>For people.</summary>
    public override string ToString() =>
        $"{Node} serves partition {Partition}, epoch {Epoch}, with {string.Join(", ", Undecided)} undecided";
}
