using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An agent has the participants of a plan reserved, or asks once more (Q4).</summary>
/// <param name="Node">The agent.</param>
/// <param name="Id">The attempt.</param>
/// <param name="Entries">How many there are in the plan.</param>
/// <param name="Now">The agent's wall clock, in microseconds.</param>
internal readonly record struct ReservationsAsked(NodeId Node, TransactionId Id, int Entries, long Now);
