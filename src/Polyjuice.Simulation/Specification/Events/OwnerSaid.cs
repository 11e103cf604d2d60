using Polyjuice.Contracts;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An owner says something, to its own node or another.</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Message">What; rows by the numbers of taps.</param>
internal readonly record struct OwnerSaid(NodeId Node, int Partition, Message Message)
{
    /// <summary>For people.</summary>
    public override string ToString() => $"partition {Partition} of {Node} says {Network.WireTap.Describe(Message)}";
}
