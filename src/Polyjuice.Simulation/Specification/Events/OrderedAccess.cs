using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>What a transaction that is ordered has read, and written, at one participant.</summary>
/// <param name="Key">The participant.</param>
/// <param name="Read">The version that it read, or built upon.</param>
/// <param name="ReadTimestamp">The read timestamp that this version has now.</param>
/// <param name="Write">The version that it wrote, if it did.</param>
internal readonly record struct OrderedAccess(ParticipantKey Key, VersionId Read, long ReadTimestamp, VersionId? Write);
