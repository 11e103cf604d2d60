using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>An ordered version has left its participant's chain, with all above it (R4).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Key">The participant.</param>
/// <param name="Version">The version.</param>
/// <param name="Last">The version that is the last one now.</param>
/// <param name="LastReadTimestamp">The read timestamp which that one has.</param>
internal readonly record struct VersionRemoved(
    NodeId Node, int Partition, ParticipantKey Key, VersionId Version, VersionId Last, long LastReadTimestamp);
