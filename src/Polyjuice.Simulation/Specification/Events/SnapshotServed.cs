using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A declared read-only transaction is served a version (D1).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Id">The attempt.</param>
/// <param name="Key">The participant.</param>
/// <param name="Version">The version.</param>
/// <param name="ReadTimestamp">The read timestamp which that has now.</param>
/// <param name="Timestamp">The transaction's timestamp.</param>
internal readonly record struct SnapshotServed(
    NodeId Node, int Partition, TransactionId Id, ParticipantKey Key, VersionId Version, long ReadTimestamp,
    long Timestamp);
