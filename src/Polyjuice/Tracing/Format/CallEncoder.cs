using Polyjuice.Wire;

namespace Polyjuice.Tracing;

/// <summary>
/// Writes a chunk's calls as columns, behind its attempts. One for
/// each file, because it knows which methods the file has introduced.
/// </summary>
internal sealed class CallEncoder
{
    private readonly Dictionary<TracedMethod, int> _methods = new(ReferenceEqualityComparer.Instance);
    private readonly List<TracedMethod> _new = [];

    /// <summary>Writes them.</summary>
    public void Write(TraceChunk chunk, ByteWriter output)
    {
        var calls = chunk.Calls.AsSpan(0, chunk.CallCount);
        Introduce(calls);
        output.UInt((ulong)_new.Count);
        foreach (var method in _new) MethodNames.Write(method, output);

        // As many as there are last attempts: readers count those.
        foreach (ref readonly var call in calls) output.Byte((byte)call.State);
        foreach (ref readonly var call in calls)
        {
            if (call.Method is { } method) output.UInt((ulong)_methods[method]);
        }

        foreach (ref readonly var call in calls)
        {
            if (call.Method is not null) output.String(call.GrainKey!);
        }

        foreach (ref readonly var call in calls)
        {
            if (call.State == TracedCallState.Whole) output.UInt((ulong)call.Length);
        }

        output.Raw(chunk.Arguments.Written);
    }

    private void Introduce(ReadOnlySpan<CallEvent> calls)
    {
        _new.Clear();
        foreach (ref readonly var call in calls)
        {
            if (call.Method is { } method && _methods.TryAdd(method, _methods.Count)) _new.Add(method);
        }
    }
}
