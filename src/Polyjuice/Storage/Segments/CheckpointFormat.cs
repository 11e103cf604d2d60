using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Polyjuice.Storage;

/// <summary>
/// The bytes of a checkpoint: a header, pieces with chained checksums, and an end that says how much there was.
/// Documented in docs/reference/formats.md.
/// </summary>
internal static class CheckpointFormat
{
    public const int Version = 1;
    public const int HeaderLength = 40;
    private const int EndLength = 16;
    private const int PieceBytesMax = 1 << 26;
    private const ulong Magic = 0x1A_0A_0D_50_4B_43_4A_50; // "PJCKP\r\n" and end-of-file

    /// <summary>A checkpoint's bytes for a device.</summary>
    public static async IAsyncEnumerable<ReadOnlyMemory<byte>> WriteAsync(
        LogIdentity identity, long position, IAsyncEnumerable<ReadOnlyMemory<byte>> content,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var header = new byte[HeaderLength];
        BinaryPrimitives.WriteUInt64LittleEndian(header, Magic);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(8), Version);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(10), HeaderLength);
        BinaryPrimitives.WriteInt32LittleEndian(header.AsSpan(12), identity.Partition);
        BinaryPrimitives.WriteInt32LittleEndian(header.AsSpan(16), identity.PartitionCount);
        BinaryPrimitives.WriteInt64LittleEndian(header.AsSpan(20), position);
        BinaryPrimitives.WriteUInt64LittleEndian(header.AsSpan(28), identity.Store);
        var crc = Crc32C.Of(header.AsSpan(0, 36));
        BinaryPrimitives.WriteUInt32LittleEndian(header.AsSpan(36), crc);
        yield return header;
        long total = 0;
        var small = new byte[4];
        await foreach (var piece in content.WithCancellation(cancellationToken))
        {
            if (piece.IsEmpty) continue;
            if (piece.Length > PieceBytesMax)
                throw new ArgumentException(
                    $"A checkpoint's piece has {piece.Length} bytes; at most {PieceBytesMax}.", nameof(content));
            BinaryPrimitives.WriteInt32LittleEndian(small, piece.Length);
            yield return small;
            yield return piece;
            crc = Crc32C.Of(piece.Span, crc);
            total += piece.Length;
            BinaryPrimitives.WriteUInt32LittleEndian(small, crc);
            yield return small;
        }

        var end = new byte[EndLength];
        BinaryPrimitives.WriteInt64LittleEndian(end.AsSpan(4), total);
        BinaryPrimitives.WriteUInt32LittleEndian(end.AsSpan(12), Crc32C.Of(end.AsSpan(0, 12), crc));
        yield return end;
    }

    /// <summary>The pieces of a checkpoint, each valid until the next is asked for.</summary>
    public static async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
        ILogDevice device, LogIdentity identity, long position,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var name = identity.Checkpoint(position);
        var input = new ObjectReader(device, name);
        var header = await input.TakeAsync(HeaderLength, cancellationToken);
        if (CheckHeader(header.Span, identity, position, $"{device.Location}/{name}") is { } wrong)
            throw Damaged(0, wrong);
        var crc = BinaryPrimitives.ReadUInt32LittleEndian(header.Span[36..]);
        long total = 0;
        while (true)
        {
            var at = input.Offset;
            var start = await input.TakeAsync(4, cancellationToken);
            if (start.Length < 4) throw Damaged(at, "it ends in the middle");
            var length = BinaryPrimitives.ReadInt32LittleEndian(start.Span);
            if (length == 0) break;
            if (length is < 0 or > PieceBytesMax) throw Damaged(at, $"a piece says that it has {length} bytes");
            var piece = await input.TakeAsync(length + 4, cancellationToken);
            if (piece.Length < length + 4) throw Damaged(at, "it ends in the middle");
            crc = Crc32C.Of(piece.Span[..length], crc);
            if (BinaryPrimitives.ReadUInt32LittleEndian(piece.Span[length..]) != crc)
                throw Damaged(at, "a piece's checksum is wrong");
            total += length;
            yield return piece[..length];
        }

        var end = new byte[EndLength];
        var rest = await input.TakeAsync(EndLength - 4, cancellationToken);
        if (rest.Length < EndLength - 4) throw Damaged(input.Offset, "it ends in the middle");
        rest.CopyTo(end.AsMemory(4));
        if (BinaryPrimitives.ReadInt64LittleEndian(end.AsSpan(4)) != total
            || BinaryPrimitives.ReadUInt32LittleEndian(end.AsSpan(12)) != Crc32C.Of(end.AsSpan(0, 12), crc))
            throw Damaged(input.Offset, "its end does not fit the rest");

        LogDamagedException Damaged(long offset, string what) => new(device.Location, name, offset, what);
    }

    private static string? CheckHeader(ReadOnlySpan<byte> header, LogIdentity identity, long position, string path)
    {
        if (header.Length < HeaderLength) return $"the checkpoint's header has {header.Length} of {HeaderLength} bytes";
        if (BinaryPrimitives.ReadUInt64LittleEndian(header) != Magic) return "it does not begin as a checkpoint does";
        var version = BinaryPrimitives.ReadUInt16LittleEndian(header[8..]);
        if (version > Version) throw new LogVersionException(path, version, Version);
        if (BinaryPrimitives.ReadUInt32LittleEndian(header[36..]) != Crc32C.Of(header[..36]))
            return "the header's checksum is wrong";
        if (BinaryPrimitives.ReadInt32LittleEndian(header[12..]) != identity.Partition
            || BinaryPrimitives.ReadInt32LittleEndian(header[16..]) != identity.PartitionCount)
            return "it is of another partition";
        if (BinaryPrimitives.ReadInt64LittleEndian(header[20..]) != position)
            return "it is of another position than its name says";
        return BinaryPrimitives.ReadUInt64LittleEndian(header[28..]) == identity.Store
            ? null
            : "it is of another store";
    }
}
