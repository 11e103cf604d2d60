using System.Buffers;

namespace Polyjuice.Embedded.RealTime;

/// <summary>Bytes that are put together before their length can be written. Not thread-safe.</summary>
internal sealed class ReusableBuffer : IBufferWriter<byte>
{
    private byte[] _bytes = new byte[256];
    private int _count;

    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _count);

    public void Clear() => _count = 0;

    /// <inheritdoc/>
    public void Advance(int count) => _count += count;

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.AsMemory(_count);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.AsSpan(_count);
    }

    private void Reserve(int sizeHint)
    {
        var needed = _count + Math.Max(sizeHint, 1);
        if (needed > _bytes.Length) Array.Resize(ref _bytes, Math.Max(needed, _bytes.Length * 2));
    }
}
