using System.Globalization;
using Polyjuice.Policies;
using Polyjuice.Wire;

namespace Polyjuice.Tracing;

/// <summary>
/// The files of one recorder, one after the other. Runs in the host's background,
/// one call at a time; the counts may be read by any thread, slightly old.
/// </summary>
internal sealed class TraceFiles(
    RecorderIdentity identity, SiteRegistry registry, TraceRecorderOptions options, ITraceSink sink)
{
    /// <summary>
    /// Append blobs take 50,000 blocks, which a silo with little to do fills before the file is large.
    /// </summary>
    private const int FileChunksMax = 40_000;

    private readonly ByteWriter _content = new(capacity: 64 << 10);
    private readonly TraceBlockWriter _blocks = new();
    private Stream? _stream;
    private ChunkEncoder? _encoder;
    private int _file = -1;
    private int _fullFile = -1;
    private long _fileBytes;
    private long _fileChunks;
    private long _bytes;
    private long _count;
    private long _began;

    public long Bytes => Volatile.Read(ref _bytes);

    public long Count => Volatile.Read(ref _count);

    /// <summary>
    /// Whether the file of that number has grown as large as a file
    /// may; what comes then belongs to the next one. Any thread.
    /// </summary>
    public bool IsFull(int file) => Volatile.Read(ref _fullFile) == file;

    /// <summary>Writes a chunk to its file, which is begun with it if it is new.</summary>
    /// <exception cref="Exception">
    /// What the sink has thrown. The file is given up; chunks that belong to it must not be written any more.
    /// </exception>
    public async Task WriteAsync(TraceChunk chunk)
    {
        try
        {
            if (chunk.File != _file) await BeginAsync(chunk);
            _content.Clear();
            _encoder!.Write(chunk, _content);
            await AppendAsync(_blocks.Block(TraceBlockKind.Chunk, _content.Written));
            if (_fileBytes >= options.FileBytesMax || ++_fileChunks >= FileChunksMax)
                Volatile.Write(ref _fullFile, chunk.File);
        }
        catch
        {
            await GiveUpAsync();
            throw;
        }
    }

    /// <summary>Ends the last file in good order, if there is one.</summary>
    /// <param name="until">All that happened until then has been written.</param>
    /// <param name="droppedRecords">What was dropped since the last chunk.</param>
    /// <param name="droppedWindows">The same.</param>
    public async Task EndAsync(long until, long droppedRecords, long droppedWindows)
    {
        if (_stream is null) return;
        _content.Clear();
        _content.Int(until);
        _content.UInt((ulong)droppedRecords);
        _content.UInt((ulong)droppedWindows);
        try
        {
            await AppendAsync(_blocks.Block(TraceBlockKind.End, _content.Written));
        }
        finally
        {
            await GiveUpAsync();
        }
    }

    private async Task BeginAsync(TraceChunk chunk)
    {
        await GiveUpAsync();
        if (_began == 0) _began = chunk.From;

        // A process may record several times, and each time begins at another time.
        var fileName = string.Create(
            CultureInfo.InvariantCulture, $"{identity.Node.Value}-{_began}-{chunk.File:0000}{TraceFormat.Extension}");
        _stream = await sink.CreateAsync(fileName, CancellationToken.None);
        _file = chunk.File;
        _fileBytes = _fileChunks = 0;
        Volatile.Write(ref _count, _count + 1);
        _encoder = new ChunkEncoder(registry, options.KeySalt, options.RecordsCalls, options.RecordsStates);
        await AppendAsync(TraceBlockWriter.FileHeader(options.RecordsCalls, options.RecordsStates));
        _content.Clear();
        _content.Int(identity.Node.Value);
        _content.String(identity.Name);
        _content.Int(chunk.From);
        _content.UInt((ulong)options.WindowPeriodMicroseconds);
        _content.UInt((ulong)options.WindowLengthMicroseconds);
        _content.Byte(options.KeySalt is null ? (byte)0 : (byte)1);
        if (options.RecordsCalls) _content.String(identity.ArgumentEncoding);
        await AppendAsync(_blocks.Block(TraceBlockKind.Recording, _content.Written));
    }

    private async Task AppendAsync(ReadOnlyMemory<byte> bytes)
    {
        await _stream!.WriteAsync(bytes);
        await _stream.FlushAsync();
        _fileBytes += bytes.Length;
        Volatile.Write(ref _bytes, _bytes + bytes.Length);
    }

    private async Task GiveUpAsync()
    {
        if (_stream is not { } stream) return;
        _stream = null;
        _file = -1;
        await stream.DisposeAsync();
    }
}
