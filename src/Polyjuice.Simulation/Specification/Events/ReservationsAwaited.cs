using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>In a tick of its agent, an attempt waits until it holds all that it reserves (Q4).</summary>
/// <param name="Node">The agent.</param>
/// <param name="Id">The attempt.</param>
/// <param name="Now">The agent's wall clock, in microseconds.</param>
/// <param name="AskedAgainAfter">How long it waits before it asks once more, in microseconds.</param>
internal readonly record struct ReservationsAwaited(NodeId Node, TransactionId Id, long Now, long AskedAgainAfter);
