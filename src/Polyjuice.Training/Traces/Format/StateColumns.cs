using Polyjuice.Tracing;
using Polyjuice.Wire;

namespace Polyjuice.Training.Traces;

/// <summary>States as columns, as recorded and merged traces both have them.</summary>
internal static class StateColumns
{
    /// <summary>Writes states, which are in the order of time; codecs by their numbers.</summary>
    public static void Write(
        ReadOnlySpan<TraceState> states, IReadOnlyDictionary<string, int> codecs, ByteWriter output)
    {
        output.UInt((ulong)states.Length);
        foreach (ref readonly var state in states) output.UInt((ulong)state.Participant);
        var before = 0L;
        foreach (ref readonly var state in states)
        {
            output.Int(state.AtMicroseconds - before);
            before = state.AtMicroseconds;
        }

        foreach (ref readonly var state in states) output.Byte((byte)state.Kind);
        foreach (ref readonly var state in states)
        {
            if (state.Kind == TracedStateKind.Whole) output.UInt((ulong)codecs[state.Codec]);
        }

        foreach (ref readonly var state in states)
        {
            if (state.Kind == TracedStateKind.Whole) output.UInt((ulong)state.Bytes.Length);
        }

        foreach (ref readonly var state in states) output.Raw(state.Bytes.Span);
    }

    /// <summary>Reads states.</summary>
    /// <param name="input">From where.</param>
    /// <param name="start">What their times count from.</param>
    /// <param name="codecs">The codecs that the file has introduced.</param>
    /// <param name="participantOf">Knows a participant by its number in the file.</param>
    /// <exception cref="CodingException">It is not what was written.</exception>
    public static TraceState[] Read(
        ref ByteReader input, long start, IReadOnlyList<string> codecs, Func<ulong, int> participantOf)
    {
        var states = new TraceState[input.Count()];
        foreach (ref var state in states.AsSpan()) state = state with { Participant = participantOf(input.UInt()) };
        var time = start;
        foreach (ref var state in states.AsSpan()) state = state with { AtMicroseconds = time += input.Int() };
        foreach (ref var state in states.AsSpan())
        {
            var kind = input.Byte();
            if (kind is < (byte)TracedStateKind.Whole or > (byte)TracedStateKind.Forgotten)
                throw new CodingException($"A state is of the unknown kind {kind}.");
            state = state with { Kind = (TracedStateKind)kind, Codec = "" };
        }

        foreach (ref var state in states.AsSpan())
        {
            if (state.Kind != TracedStateKind.Whole) continue;
            var codec = input.UInt();
            if (codec >= (ulong)codecs.Count)
                throw new CodingException($"There is no codec {codec}: the file has introduced {codecs.Count}.");
            state = state with { Codec = codecs[(int)codec] };
        }

        var bytes = PieceColumn.Read(
            ref input, states.Length, i => states[i].Kind == TracedStateKind.Whole, "A state has");
        for (var i = 0; i < states.Length; i++) states[i] = states[i] with { Bytes = bytes[i] };
        return states;
    }
}
