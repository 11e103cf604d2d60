using Polyjuice.Tracing;

namespace Polyjuice.Training.Traces;

/// <summary>A transactional state as of the begin of a window in which it was accessed.</summary>
/// <param name="Participant">The number of its participant in <see cref="AccessTrace.Participants"/>.</param>
/// <param name="AtMicroseconds">When its first access there was made, since the trace's start.</param>
/// <param name="Kind">What is known of it.</param>
/// <param name="Codec">How it is encoded; empty unless the state is whole.</param>
/// <param name="Bytes">The state; empty unless it is whole. May be personal data.</param>
internal readonly record struct TraceState(
    int Participant, long AtMicroseconds, TracedStateKind Kind, string Codec, ReadOnlyMemory<byte> Bytes);
