using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>
/// A node accepts a batch of messages, or a call, with its sender's clock and oldest live attempt (R2, R1c).
/// </summary>
/// <param name="Node">The receiver.</param>
/// <param name="From">The sender.</param>
/// <param name="Clock">The sender's clock, as a timestamp.</param>
/// <param name="Last">The receiver's clock before, as a timestamp.</param>
/// <param name="Limit">
/// The largest timestamp that does not lead the receiver's wall clock by more than the skew.
/// </param>
/// <param name="OldestLive">The sender's oldest live attempt.</param>
internal readonly record struct ClockHeard(
    NodeId Node, NodeId From, long Clock, long Last, long Limit, long OldestLive);
