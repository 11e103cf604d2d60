namespace Polyjuice.Storage;

/// <summary>Reads an object from its beginning to its end, in pieces of the reader's choice.</summary>
internal sealed class ObjectReader(ILogDevice device, string name)
{
    private const int ChunkBytes = 1 << 20;
    private byte[] _buffer = [];
    private int _start;
    private int _count;

    /// <summary>Where the next piece begins.</summary>
    public long Offset { get; private set; }

    /// <summary>The next so many bytes, or all that are left. Valid until the next call.</summary>
    public async ValueTask<ReadOnlyMemory<byte>> TakeAsync(int length, CancellationToken cancellationToken)
    {
        if (_count < length) await FillAsync(length, cancellationToken);
        var taken = Math.Min(length, _count);
        var piece = _buffer.AsMemory(_start, taken);
        _start += taken;
        _count -= taken;
        Offset += taken;
        return piece;
    }

    private async ValueTask FillAsync(int length, CancellationToken cancellationToken)
    {
        var target = _buffer.Length >= Math.Max(length, ChunkBytes) ? _buffer : new byte[Math.Max(length, ChunkBytes)];
        Array.Copy(_buffer, _start, target, 0, _count);
        _buffer = target;
        _start = 0;
        while (_count < length)
        {
            var read = await device.ReadAsync(name, Offset + _count, _buffer.AsMemory(_count), cancellationToken);
            if (read == 0) return;
            _count += read;
        }
    }
}
