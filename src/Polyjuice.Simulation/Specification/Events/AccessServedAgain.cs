using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A body that runs again is served an access from its record (resumption).</summary>
/// <param name="Node">Where.</param>
/// <param name="Id">The attempt.</param>
/// <param name="Key">The participant.</param>
/// <param name="Number">Its number.</param>
internal readonly record struct AccessServedAgain(NodeId Node, TransactionId Id, ParticipantKey Key, int Number);
