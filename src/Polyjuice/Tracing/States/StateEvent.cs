namespace Polyjuice.Tracing;

/// <summary>A state as of a window's begin, recorded with its first access there.</summary>
internal struct StateEvent
{
    /// <summary>As <see cref="AccessEvent.Participant"/>.</summary>
    public int Participant;

    /// <summary>From <see cref="TraceChunk.Base"/>.</summary>
    public int Time;

    /// <summary>Bytes in <see cref="TraceChunk.StateBytes"/>, behind those of the states before.</summary>
    public int Length;

    public TracedStateKind Kind;

    /// <summary>How it is encoded.</summary>
    public string Codec;
}
