using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A node says that a part of a plan is held there (Q4).</summary>
/// <param name="Node">Where.</param>
/// <param name="Id">The attempt.</param>
/// <param name="From">The first entry of the plan.</param>
/// <param name="To">The one after the last.</param>
/// <param name="Generation">How often the attempt had given way when its agent asked for this.</param>
internal readonly record struct ReservationsHeld(NodeId Node, TransactionId Id, int From, int To, int Generation);
