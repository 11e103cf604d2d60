using System.Buffers.Binary;
using System.IO.Compression;
using Polyjuice.Storage;

namespace Polyjuice.Tracing;

/// <summary>Frames, compresses and checksums blocks. Reuses its buffer: one block at a time.</summary>
internal sealed class TraceBlockWriter
{
    // The least effort: what is left are mostly low bytes of varying numbers.
    private const int Quality = 0;

    private const int WindowBits = 20;

    private byte[] _buffer = new byte[64 << 10];

    /// <summary>
    /// The first bytes of a file: of the oldest version that has what it holds, so that older tools go on reading it.
    /// </summary>
    /// <param name="hasCalls">Whether it has calls.</param>
    /// <param name="hasStates">Whether it has states, too.</param>
    public static byte[] FileHeader(bool hasCalls, bool hasStates = false) =>
        [
            .. TraceFormat.Magic,
            hasStates ? TraceFormat.Version : hasCalls ? TraceFormat.VersionWithCalls : TraceFormat.VersionWithoutCalls
        ];

    /// <summary>A whole block, valid until the next is made.</summary>
    public ReadOnlyMemory<byte> Block(TraceBlockKind kind, ReadOnlySpan<byte> content)
    {
        if (content.Length > TraceFormat.BlockBytesMax)
            throw new InvalidOperationException($"A block of {content.Length} bytes is larger than any reader takes.");
        var most = TraceFormat.BlockHeaderBytes
            + Math.Max(content.Length, BrotliEncoder.GetMaxCompressedLength(content.Length));
        if (_buffer.Length < most) _buffer = new byte[most];
        var payload = _buffer.AsSpan(TraceFormat.BlockHeaderBytes);
        var encoding = TraceEncoding.Brotli;
        if (!BrotliEncoder.TryCompress(content, payload, out var length, Quality, WindowBits)
            || length >= content.Length)
        {
            encoding = TraceEncoding.Plain;
            content.CopyTo(payload);
            length = content.Length;
        }

        var header = _buffer.AsSpan(0, TraceFormat.BlockHeaderBytes);
        header.Clear();
        header[0] = (byte)kind;
        header[1] = (byte)encoding;
        BinaryPrimitives.WriteInt32LittleEndian(header[4..], length);
        BinaryPrimitives.WriteInt32LittleEndian(header[8..], content.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(header[12..], Crc32C.Of(payload[..length], Crc32C.Of(header[..12])));
        return _buffer.AsMemory(0, TraceFormat.BlockHeaderBytes + length);
    }
}
