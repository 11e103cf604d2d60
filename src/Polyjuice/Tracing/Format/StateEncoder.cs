using System.Runtime.InteropServices;
using Polyjuice.Wire;

namespace Polyjuice.Tracing;

/// <summary>
/// Writes a chunk's states as columns, behind its calls. One for each file, because it knows which codecs the file has
/// introduced.
/// </summary>
internal sealed class StateEncoder
{
    private readonly Dictionary<string, int> _codecs = new(StringComparer.Ordinal);
    private readonly List<string> _new = [];

    /// <summary>Writes them.</summary>
    public void Write(TraceChunk chunk, ByteWriter output)
    {
        var states = CollectionsMarshal.AsSpan(chunk.States);
        Introduce(states);
        output.UInt((ulong)_new.Count);
        foreach (var codec in _new) output.String(codec);
        output.UInt((ulong)states.Length);
        foreach (ref readonly var state in states) output.UInt((ulong)state.Participant);
        var before = 0;
        foreach (ref readonly var state in states)
        {
            output.Int(state.Time - before);
            before = state.Time;
        }

        foreach (ref readonly var state in states) output.Byte((byte)state.Kind);
        foreach (ref readonly var state in states)
        {
            if (state.Kind == TracedStateKind.Whole) output.UInt((ulong)_codecs[state.Codec]);
        }

        foreach (ref readonly var state in states)
        {
            if (state.Kind == TracedStateKind.Whole) output.UInt((ulong)state.Length);
        }

        output.Raw(chunk.StateBytes.Written);
    }

    private void Introduce(ReadOnlySpan<StateEvent> states)
    {
        _new.Clear();
        foreach (ref readonly var state in states)
        {
            if (_codecs.TryAdd(state.Codec, _codecs.Count)) _new.Add(state.Codec);
        }
    }
}
