using Polyjuice.Tracing;
using Polyjuice.Wire;

namespace Polyjuice.Training.Traces;

/// <summary>Calls as columns, as recorded and merged traces both have them.</summary>
internal static class CallColumns
{
    /// <summary>Writes calls; methods by their numbers.</summary>
    public static void Write(ReadOnlySpan<TraceCall> calls, ByteWriter output)
    {
        foreach (ref readonly var call in calls) output.Byte((byte)call.State);
        foreach (ref readonly var call in calls)
        {
            if (call.IsNamed) output.UInt((ulong)call.Method);
        }

        foreach (ref readonly var call in calls)
        {
            if (call.IsNamed) output.String(call.GrainKey);
        }

        foreach (ref readonly var call in calls)
        {
            if (call.State == TracedCallState.Whole) output.UInt((ulong)call.Arguments.Length);
        }

        foreach (ref readonly var call in calls) output.Raw(call.Arguments.Span);
    }

    /// <summary>Reads calls.</summary>
    /// <param name="input">From where.</param>
    /// <param name="count">How many.</param>
    /// <param name="methods">The methods' numbers, by those in the file.</param>
    /// <exception cref="CodingException">It is not what was written.</exception>
    public static TraceCall[] Read(ref ByteReader input, int count, IReadOnlyList<int> methods)
    {
        if (count > input.Left) throw new CodingException("The bytes end in the middle of a value.");
        var calls = new TraceCall[count];
        foreach (ref var call in calls.AsSpan())
        {
            var state = input.Byte();
            if (state > (byte)TracedCallState.NoCall)
                throw new CodingException($"A call is of the unknown state {state}.");
            call = new TraceCall((TracedCallState)state, 0, "", default);
        }

        foreach (ref var call in calls.AsSpan())
        {
            if (!call.IsNamed) continue;
            var method = input.UInt();
            if (method >= (ulong)methods.Count)
                throw new CodingException($"There is no method {method}: the file has introduced {methods.Count}.");
            call = call with { Method = methods[(int)method] };
        }

        foreach (ref var call in calls.AsSpan())
        {
            if (call.IsNamed) call = call with { GrainKey = input.String() };
        }

        var arguments = PieceColumn.Read(
            ref input, count, i => calls[i].State == TracedCallState.Whole, "A call's arguments have");
        for (var i = 0; i < count; i++) calls[i] = calls[i] with { Arguments = arguments[i] };
        return calls;
    }
}
