using System.Diagnostics;
using Polyjuice.Wire;

namespace Polyjuice.Agents.Spans;

/// <summary>An activity's place in its trace, as it goes to another node: identities and flags, in 25 bytes.</summary>
internal static class SpanContext
{
    private const int TraceIdBytes = 16;
    private const int SpanIdBytes = 8;
    private const int Length = TraceIdBytes + SpanIdBytes + 1;

    /// <summary>Writes it, with its length before it.</summary>
    public static void Write(ByteWriter writer, in ActivityContext context)
    {
        Span<byte> bytes = stackalloc byte[Length];
        context.TraceId.CopyTo(bytes[..TraceIdBytes]);
        context.SpanId.CopyTo(bytes.Slice(TraceIdBytes, SpanIdBytes));
        bytes[^1] = (byte)context.TraceFlags;
        writer.Bytes(bytes);
    }

    /// <summary>Reads it.</summary>
    /// <returns><see langword="default"/> for what this version does not write.</returns>
    public static ActivityContext Read(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length != Length) return default;
        return new(
            ActivityTraceId.CreateFromBytes(bytes[..TraceIdBytes]),
            ActivitySpanId.CreateFromBytes(bytes.Slice(TraceIdBytes, SpanIdBytes)), (ActivityTraceFlags)bytes[^1],
            isRemote: true);
    }
}
