using Polyjuice.Tracing;

namespace Polyjuice.Training.Traces;

/// <summary>The call that a transaction began with.</summary>
/// <param name="State">What is known of it.</param>
/// <param name="Method">
/// The number of its method in <see cref="AccessTrace.Methods"/>; nothing if it was no call, or was not recorded.
/// </param>
/// <param name="GrainKey">
/// The key of the grain that was called, the second part of its identity as text; empty with that.
/// </param>
/// <param name="Arguments">
/// Its arguments, as <see cref="AccessTrace.ArgumentEncoding"/> says; empty unless the call is whole.
/// </param>
internal readonly record struct TraceCall(
    TracedCallState State, int Method, string GrainKey, ReadOnlyMemory<byte> Arguments)
{
    /// <summary>Whether it names a method and a grain.</summary>
    public bool IsNamed => State is TracedCallState.Whole or TracedCallState.TooLarge or TracedCallState.NotEncodable;
}

/// <summary>What the calls of a trace refer to.</summary>
internal sealed record TraceCallNames(IReadOnlyList<TracedMethod> Methods, string ArgumentEncoding);
