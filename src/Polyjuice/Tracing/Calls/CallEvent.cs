namespace Polyjuice.Tracing;

/// <summary>The call of one transaction that has ended, as its agent records it beside the last attempt.</summary>
internal struct CallEvent
{
    public TracedMethod? Method;
    public string? GrainKey;

    /// <summary>Bytes in <see cref="TraceChunk.Arguments"/>, behind those of the calls before.</summary>
    public int Length;
    public TracedCallState State;
}
