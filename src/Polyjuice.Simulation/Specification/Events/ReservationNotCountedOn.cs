using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An agent does not count on an entry of its plan until it is told again that it is held (Q3).</summary>
/// <param name="Node">The agent.</param>
/// <param name="Id">The attempt.</param>
/// <param name="At">Which entry.</param>
/// <param name="Generation">How often it has given way, this time included.</param>
internal readonly record struct ReservationNotCountedOn(NodeId Node, TransactionId Id, int At, int Generation);
