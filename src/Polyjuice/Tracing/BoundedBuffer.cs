using System.Buffers;

namespace Polyjuice.Tracing;

/// <summary>
/// What a chunk has of bytes that others encode, one piece after the other: arguments of calls,
/// states. What is written between <see cref="Begin"/> and <see cref="End"/> is bounded:
/// whoever writes more gets an exception, and all of it is taken back. Used by one at a time.
/// </summary>
internal sealed class BoundedBuffer : IBufferWriter<byte>
{
    /// <summary>
    /// A chunk that has so many bytes is handed over. Arrays stay below what
    /// is born old (85 kB), unless single calls are allowed to be large.
    /// </summary>
    public const int FullBytes = 64 << 10;

    /// <summary>Serializers ask for more room than they use.</summary>
    private const int SlackBytes = 4 << 10;

    private const int SpanBytesMin = 256;

    private byte[] _bytes = [];
    private int _length;
    private int _start;
    private int _max;

    /// <summary>All that was written and ended.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _length);

    public bool IsFull => _length >= FullBytes;

    /// <summary>Whether what was begun last has become too large.</summary>
    public bool IsOver { get; private set; }

    /// <summary>A piece begins.</summary>
    /// <param name="max">Bytes at the most.</param>
    public void Begin(int max)
    {
        _start = _length;
        _max = max;
        IsOver = false;
    }

    /// <summary>It is whole. Says how many bytes it has.</summary>
    public int End() => _length - _start;

    /// <summary>It is not wanted.</summary>
    public void TakeBack() => _length = _start;

    public void Clear()
    {
        _length = _start = 0;
        if (_bytes.Length > FullBytes + 4 * SlackBytes) _bytes = [];
    }

    public void Advance(int count)
    {
        if (count > _bytes.Length - _length)
            throw new ArgumentOutOfRangeException(nameof(count), count, "More than there was room for.");
        _length += count;
        if (_length - _start > _max) throw TooLarge();
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Ensure(sizeHint);
        return _bytes.AsMemory(_length);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Ensure(sizeHint);
        return _bytes.AsSpan(_length);
    }

    private void Ensure(int sizeHint)
    {
        var needed = Math.Max(sizeHint, SpanBytesMin);
        if (needed > _max - (_length - _start) + SlackBytes) throw TooLarge();
        if (_bytes.Length - _length >= needed) return;

        // Twice as much, but no more than this piece can need.
        Array.Resize(ref _bytes, Math.Max(_length + needed, Math.Min(_bytes.Length * 2, _start + _max + SlackBytes)));
    }

    private InvalidOperationException TooLarge()
    {
        IsOver = true;
        return new InvalidOperationException($"There are more than {_max} bytes; they are not recorded.");
    }
}
