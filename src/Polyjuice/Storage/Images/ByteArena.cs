namespace Polyjuice.Storage;

/// <summary>Where bytes are in a <see cref="ByteArena"/>.</summary>
internal readonly record struct ArenaSlice(int Chunk, int Offset, int Length);

/// <summary>
/// The bytes of many records in few arrays. An image of a log is made beside the transactions, and an array for each
/// record is what the garbage collector would stop a silo for.
/// </summary>
internal sealed class ByteArena
{
    private const int ChunkBytesMin = 1 << 10;
    private const int ChunkBytesMax = 1 << 20;

    private readonly List<byte[]> _chunks = [];
    private int _chunk = -1;
    private int _used;

    /// <summary>Bytes added since it was empty.</summary>
    public long Length { get; private set; }

    /// <summary>What is there. Valid until <see cref="Clear"/>.</summary>
    public Span<byte> this[ArenaSlice slice] => _chunks[slice.Chunk].AsSpan(slice.Offset, slice.Length);

    /// <summary>Keeps a copy.</summary>
    public ArenaSlice Add(ReadOnlySpan<byte> bytes)
    {
        if (_chunk < 0 || _chunks[_chunk].Length - _used < bytes.Length) NextChunk(bytes.Length);
        var slice = new ArenaSlice(_chunk, _used, bytes.Length);
        bytes.CopyTo(this[slice]);
        _used += bytes.Length;
        Length += bytes.Length;
        return slice;
    }

    /// <summary>Forgets all, and keeps the arrays for what comes next.</summary>
    public void Clear()
    {
        _chunk = -1;
        Length = 0;
    }

    private void NextChunk(int length)
    {
        _chunk++;
        _used = 0;
        if (_chunk < _chunks.Count && _chunks[_chunk].Length >= length) return;

        // Behind this one there is nothing in use.
        var size = Math.Max(
            length, Math.Clamp(_chunk > 0 ? _chunks[_chunk - 1].Length * 2L : 0, ChunkBytesMin, ChunkBytesMax));
        _chunks.Insert(_chunk, GC.AllocateUninitializedArray<byte>((int)size));
    }
}
