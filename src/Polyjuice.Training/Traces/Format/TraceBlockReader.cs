using System.Buffers.Binary;
using System.IO.Compression;
using Polyjuice.Storage;
using Polyjuice.Tracing;

namespace Polyjuice.Training.Traces;

/// <summary>Reads a file block by block, up to the first that is not whole: whoever wrote it died there.</summary>
internal sealed class TraceBlockReader
{
    private readonly Stream _stream;
    private readonly byte[] _header = new byte[TraceFormat.BlockHeaderBytes];
    private byte[] _payload = [];
    private byte[] _content = [];

    /// <summary>Checks what the file begins with.</summary>
    /// <exception cref="TraceFormatException">It is no trace, or of a newer version.</exception>
    public TraceBlockReader(Stream stream, string name)
    {
        _stream = stream;
        Name = name;
        Span<byte> start = stackalloc byte[TraceFormat.FileHeaderBytes];
        var length = stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
        Offset = length;
        if (length < start.Length && TraceFormat.Magic.StartsWith(start[..Math.Min(length, TraceFormat.Magic.Length)]))
        {
            // Whoever made it died, or failed, before it had written more.
            Torn = "the file ends within its first bytes";
            return;
        }

        if (length < start.Length || !start[..^1].SequenceEqual(TraceFormat.Magic))
            throw new TraceFormatException($"{name} is no trace: it does not begin as one does.");
        if (start[^1] > TraceFormat.Version)
            throw new TraceFormatException(
                $"{name} is a trace of format {start[^1]}, and this version reads up to {TraceFormat.Version}; use the "
                + "version that has recorded it, or a newer one.");
        HasCalls = start[^1] >= TraceFormat.VersionWithCalls;
        HasStates = start[^1] > TraceFormat.VersionWithCalls;
    }

    /// <summary>Whether the file is of the version that has calls.</summary>
    public bool HasCalls { get; }

    /// <summary>Whether the file is of the version that has states, too.</summary>
    public bool HasStates { get; }

    /// <summary>The file, for messages.</summary>
    public string Name { get; }

    /// <summary>Where the next block begins; at the end, where the last whole one has ended.</summary>
    public long Offset { get; private set; }

    /// <summary>
    /// What is wrong with what follows <see cref="Offset"/>, once the
    /// end was reached; <see langword="null"/> if nothing follows.
    /// </summary>
    public string? Torn { get; private set; }

    /// <summary>The next block, or false at the end. Its content is valid until the next is read.</summary>
    public bool TryRead(out TraceBlockKind kind, out ReadOnlySpan<byte> content)
    {
        kind = default;
        content = default;
        if (Torn is not null) return false;
        var length = _stream.ReadAtLeast(_header, _header.Length, throwOnEndOfStream: false);
        if (length == 0) return false;
        if (length < _header.Length) return Tear("the file ends within a block's header");
        kind = (TraceBlockKind)_header[0];
        var written = BinaryPrimitives.ReadInt32LittleEndian(_header.AsSpan(4));
        var meant = BinaryPrimitives.ReadInt32LittleEndian(_header.AsSpan(8));
        if ((uint)written > TraceFormat.BlockBytesMax || (uint)meant > TraceFormat.BlockBytesMax)
            return Tear("a block's header is damaged");
        if (_payload.Length < written) _payload = new byte[written];
        if (_stream.ReadAtLeast(_payload.AsSpan(0, written), written, throwOnEndOfStream: false) < written)
            return Tear("the file ends within a block");
        var checksum = Crc32C.Of(_payload.AsSpan(0, written), Crc32C.Of(_header.AsSpan(0, 12)));
        if (checksum != BinaryPrimitives.ReadUInt32LittleEndian(_header.AsSpan(12)))
            return Tear("a block is damaged: its checksum does not fit");
        if (!TryDecode((TraceEncoding)_header[1], written, meant, out content))
            return Tear("a block's content can't be decompressed");
        Offset += TraceFormat.BlockHeaderBytes + written;
        return true;
    }

    private bool TryDecode(TraceEncoding encoding, int written, int meant, out ReadOnlySpan<byte> content)
    {
        content = _payload.AsSpan(0, written);
        if (encoding == TraceEncoding.Plain) return written == meant;
        if (encoding != TraceEncoding.Brotli) return false;
        if (_content.Length < meant) _content = new byte[meant];
        if (!BrotliDecoder.TryDecompress(content, _content.AsSpan(0, meant), out var length) || length != meant)
            return false;
        content = _content.AsSpan(0, meant);
        return true;
    }

    private bool Tear(string what)
    {
        Torn = what;
        return false;
    }
}
