namespace Polyjuice.Storage;

/// <summary>Reads blocks of a trace, one after the other, each at once. Blocks the thread. By one at a time.</summary>
internal sealed class DeviceTraceReader(DeviceTraceSink sink, IReadOnlyList<TraceBlock> blocks) : OneWayStream
{
    private byte[] _block = [];
    private int _read;
    private int _next;

    public override bool CanRead => true;

    public override int Read(Span<byte> buffer)
    {
        if (buffer.Length == 0) return 0;
        while (_read == _block.Length)
        {
            if (_next == blocks.Count) return 0;
            _block = sink.ReadAsync(blocks[_next++]).GetAwaiter().GetResult();
            _read = 0;
        }

        var count = Math.Min(buffer.Length, _block.Length - _read);
        _block.AsSpan(_read, count).CopyTo(buffer);
        _read += count;
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));
}
