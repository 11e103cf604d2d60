using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An update has made a version, which nobody else sees yet (R1a).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Id">The attempt.</param>
/// <param name="Key">The participant.</param>
/// <param name="Version">The version.</param>
internal readonly record struct VersionWritten(
    NodeId Node, int Partition, TransactionId Id, ParticipantKey Key, VersionId Version);
