using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A new owner has loaded a row, and is going to serve it. Its fence is in its first store (L1).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">The row, by the number that taps have for it.</param>
/// <param name="Epoch">The position behind its first store.</param>
/// <param name="Key">The row's only participant.</param>
/// <param name="Contents">What the row says.</param>
internal readonly record struct RowLoaded(
    NodeId Node, int Partition, long Epoch, ParticipantKey Key, RowContents Contents)
{
    /// <summary>For people.</summary>
    public override string ToString() => $"{Node} has loaded partition {Partition} for epoch {Epoch}";
}
