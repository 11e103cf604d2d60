using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An owner serves an access (R1c).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Id">The attempt.</param>
/// <param name="Key">The participant.</param>
/// <param name="Version">The version that the attempt has read first there, or built upon.</param>
/// <param name="Number">Its number in the attempt.</param>
internal readonly record struct AccessServed(
    NodeId Node, int Partition, TransactionId Id, ParticipantKey Key, VersionId Version, int Number);
