using System.Buffers.Binary;

namespace Polyjuice.Storage;

/// <summary>
/// One batch, or a part of one that is longer than the device takes at once, as it lies in a segment.
/// </summary>
/// <param name="Offset">Where its frame begins.</param>
/// <param name="Position">The batch's position.</param>
/// <param name="Id">The batch's identity.</param>
/// <param name="Flags">See <see cref="FrameFlags"/>.</param>
/// <param name="Payload">Its bytes; valid until the next frame is read.</param>
internal readonly record struct BatchFrame(
    long Offset, long Position, BatchId Id, FrameFlags Flags, ReadOnlyMemory<byte> Payload)
{
    public long End => Offset + SegmentFormat.Overhead + Payload.Length;
}

/// <summary>What a frame says besides its payload.</summary>
[Flags]
internal enum FrameFlags : byte
{
    None = 0,

    /// <summary>The segment ends here; the log goes on in one whose first position is the next.</summary>
    EndsSegment = 1,

    /// <summary>The batch goes on in the next frame. If that is of another batch, this one was given up.</summary>
    Continues = 2,

    All = EndsSegment | Continues,
}

/// <summary>
/// The bytes of a segment: a header, then frames, back to back. Integers are little-endian. Documented byte by byte in
/// docs/reference/formats.md; what is written here changes only together with <see cref="Version"/>.
/// </summary>
internal static class SegmentFormat
{
    public const int Version = 1;
    public const int HeaderLength = 40;
    public const int FrameHeaderLength = 40;
    public const int FrameTrailerLength = 4;
    public const int Overhead = FrameHeaderLength + FrameTrailerLength;
    // "PJLOG\r\n" and end-of-file, so that copies in text mode show
    private const ulong Magic = 0x1A_0A_0D_47_4F_4C_4A_50;
    private const uint FrameMagic = 0x31_42_4A_50; // "PJB1"

    public static void WriteHeader(Span<byte> header, LogIdentity identity, long firstPosition)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(header, Magic);
        BinaryPrimitives.WriteUInt16LittleEndian(header[8..], Version);
        BinaryPrimitives.WriteUInt16LittleEndian(header[10..], HeaderLength);
        BinaryPrimitives.WriteInt32LittleEndian(header[12..], identity.Partition);
        BinaryPrimitives.WriteInt32LittleEndian(header[16..], identity.PartitionCount);
        BinaryPrimitives.WriteInt64LittleEndian(header[20..], firstPosition);
        BinaryPrimitives.WriteUInt64LittleEndian(header[28..], identity.Store);
        BinaryPrimitives.WriteUInt32LittleEndian(header[36..], Crc32C.Of(header[..36]));
    }

    /// <summary>
    /// What is wrong with a header, or <see langword="null"/>. Throws when it is right, but of a newer version.
    /// </summary>
    public static string? CheckHeader(ReadOnlySpan<byte> header, LogIdentity identity, long firstPosition, string path)
    {
        if (header.Length < HeaderLength) return $"the segment's header has {header.Length} of {HeaderLength} bytes";
        if (BinaryPrimitives.ReadUInt64LittleEndian(header) != Magic) return "it does not begin as a segment does";

        // The version comes before the checksum, whose place another version may have moved.
        var version = BinaryPrimitives.ReadUInt16LittleEndian(header[8..]);
        if (version > Version) throw new LogVersionException(path, version, Version);
        if (BinaryPrimitives.ReadUInt32LittleEndian(header[36..]) != Crc32C.Of(header[..36]))
            return "the header's checksum is wrong";
        var partition = BinaryPrimitives.ReadInt32LittleEndian(header[12..]);
        if (partition != identity.Partition) return $"it is of partition {partition}";
        var count = BinaryPrimitives.ReadInt32LittleEndian(header[16..]);
        if (count != identity.PartitionCount)
            return $"it was made for {count} partitions, and there are {identity.PartitionCount}";
        var first = BinaryPrimitives.ReadInt64LittleEndian(header[20..]);
        if (first != firstPosition) return $"it begins with batch {first}, and by its name with {firstPosition}";
        return BinaryPrimitives.ReadUInt64LittleEndian(header[28..]) == identity.Store
            ? null
            : "it is of another store";
    }

    /// <summary>Whether all bytes of a header are as somebody wrote them, whichever log it is of.</summary>
    public static bool IsWholeHeader(ReadOnlySpan<byte> header) =>
        header.Length == HeaderLength && BinaryPrimitives.ReadUInt64LittleEndian(header) == Magic
            && BinaryPrimitives.ReadUInt32LittleEndian(header[36..]) == Crc32C.Of(header[..36]);

    /// <summary>Writes a frame; the span is as long as payload and overhead together.</summary>
    public static void WriteFrame(
        Span<byte> frame, uint seed, long position, BatchId id, FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(frame, FrameMagic);
        BinaryPrimitives.WriteInt32LittleEndian(frame[4..], payload.Length);
        BinaryPrimitives.WriteInt64LittleEndian(frame[8..], position);
        BinaryPrimitives.WriteInt64LittleEndian(frame[16..], id.Node);
        BinaryPrimitives.WriteInt64LittleEndian(frame[24..], id.Sequence);
        frame[32] = (byte)flags;
        frame[33..36].Clear();
        var crc = Crc32C.Of(frame[..36], seed);
        BinaryPrimitives.WriteUInt32LittleEndian(frame[36..], crc);
        payload.CopyTo(frame[FrameHeaderLength..]);
        BinaryPrimitives.WriteUInt32LittleEndian(
            frame[(FrameHeaderLength + payload.Length)..], Crc32C.Of(payload, crc));
    }

    /// <summary>Reads a frame's header; says what is wrong with it.</summary>
    public static string? ReadFrameHeader(
        ReadOnlySpan<byte> header, uint seed, out int length, out long position, out BatchId id, out FrameFlags flags)
    {
        length = BinaryPrimitives.ReadInt32LittleEndian(header[4..]);
        position = BinaryPrimitives.ReadInt64LittleEndian(header[8..]);
        id = new BatchId(
            BinaryPrimitives.ReadInt64LittleEndian(header[16..]),
            BinaryPrimitives.ReadInt64LittleEndian(header[24..]));
        flags = (FrameFlags)header[32];
        if (BinaryPrimitives.ReadUInt32LittleEndian(header) != FrameMagic) return "no batch begins there";
        if (BinaryPrimitives.ReadUInt32LittleEndian(header[36..]) != Crc32C.Of(header[..36], seed))
            return "the checksum of a batch's header is wrong";
        if (length < 0) return $"a batch says that it has {length} bytes";
        return (flags & ~FrameFlags.All) != 0 || header[33..36].IndexOfAnyExcept((byte)0) >= 0
            ? "a batch has flags that are not known"
            : null;
    }

    /// <summary>
    /// Whether a frame's payload is what its trailer says. The header's
    /// checksum goes in, so that no payload fits another header.
    /// </summary>
    public static bool IsPayloadRight(ReadOnlySpan<byte> frame, int length) =>
        BinaryPrimitives.ReadUInt32LittleEndian(frame[(FrameHeaderLength + length)..])
        == Crc32C.Of(frame.Slice(FrameHeaderLength, length), BinaryPrimitives.ReadUInt32LittleEndian(frame[36..]));

    /// <summary>Whether something that looks like a frame's beginning is one.</summary>
    public static bool IsFrameHeader(ReadOnlySpan<byte> header, uint seed) =>
        ReadFrameHeader(header, seed, out _, out _, out _, out _) is null;

    public static ReadOnlySpan<byte> FrameMagicBytes => "PJB1"u8;
}
