namespace Polyjuice.Storage;

/// <summary>
/// Reads the frames of one segment, from its beginning or from where a
/// frame is known to begin, up to a length that is known to be durable.
/// </summary>
internal sealed class SegmentReader
{
    private const int ChunkBytes = 1 << 20;
    private readonly ILogDevice _device;
    private readonly LogIdentity _identity;
    private readonly long _firstPosition;
    private readonly long _length;
    private byte[] _buffer = [];
    private long _bufferStart;
    private int _buffered;

    public SegmentReader(ILogDevice device, LogIdentity identity, long firstPosition, long length, long offset = 0)
    {
        _device = device;
        _identity = identity;
        _firstPosition = firstPosition;
        _length = length;
        Name = identity.Segment(firstPosition);
        Offset = _bufferStart = offset;
    }

    public string Name { get; }

    /// <summary>Where the next frame begins, or the header.</summary>
    public long Offset { get; private set; }

    /// <summary>The frame read last.</summary>
    public BatchFrame Current { get; private set; }

    /// <summary>
    /// Bytes behind the last frame that are all zero: room that somebody
    /// made and had not filled when the process ended. Known at the end.
    /// </summary>
    public long Room { get; private set; }

    /// <summary>
    /// Behind the last byte that is not zero, as far as <see cref="FindFrameBehindAsync"/> has looked.
    /// </summary>
    public long WrittenEnd { get; private set; }

    /// <summary>
    /// Reads the next frame. <see langword="false"/> at the end, with or without <see cref="Room"/> behind it.
    /// </summary>
    /// <exception cref="LogDamagedException">What is there is no frame.</exception>
    public async ValueTask<bool> NextAsync(CancellationToken cancellationToken)
    {
        if (Offset == 0 && _length > 0)
        {
            if (await IsRoomAsync(cancellationToken)) return false;
            await FillAsync(SegmentFormat.HeaderLength, cancellationToken);
            if (SegmentFormat.CheckHeader(
                Buffered, _identity, _firstPosition, $"{_device.Location}/{Name}") is { } wrong)
                throw Damaged(wrong);

            // The header goes out with the first batch, so a header alone is what a crash left of that append.
            if (_length == SegmentFormat.HeaderLength) throw Damaged("the segment's header stands alone");
            Offset = SegmentFormat.HeaderLength;
        }

        if (Offset >= _length || await IsRoomAsync(cancellationToken)) return false;
        await FillAsync(SegmentFormat.FrameHeaderLength, cancellationToken);
        if (Buffered.Length < SegmentFormat.FrameHeaderLength)
            throw Damaged($"a batch's header has {Buffered.Length} of {SegmentFormat.FrameHeaderLength} bytes");
        if (SegmentFormat.ReadFrameHeader(
            Buffered, _identity.Seed, out var length, out var position, out var id, out var flags) is { } what)
            throw Damaged(what);
        if (length > _length - Offset - SegmentFormat.Overhead)
            throw Damaged($"batch {position} has {length} bytes, and the file ends before");
        await FillAsync(SegmentFormat.Overhead + length, cancellationToken);
        if (Buffered.Length < SegmentFormat.Overhead + length)
            throw Damaged($"batch {position} has {length} bytes, and the file ends before");
        if (!SegmentFormat.IsPayloadRight(Buffered, length))
            throw Damaged($"the checksum of batch {position} is wrong");
        var start = (int)(Offset - _bufferStart) + SegmentFormat.FrameHeaderLength;
        Current = new BatchFrame(Offset, position, id, flags, _buffer.AsMemory(start, length));
        Offset = Current.End;
        return true;
    }

    /// <summary>
    /// Looks for a frame anywhere behind the present offset: where
    /// there is one, what is wrong before it is no torn end.
    /// </summary>
    public async ValueTask<long?> FindFrameBehindAsync(CancellationToken cancellationToken)
    {
        WrittenEnd = Offset;
        var at = Offset + 1;
        while (at < _length)
        {
            Offset = at;
            await FillAsync((int)Math.Min(ChunkBytes, _length - at), cancellationToken);
            if (Buffered.LastIndexOfAnyExcept((byte)0) is var last and >= 0) WrittenEnd = at + last + 1;
            if (FindFrame() is { } found) return at + found;
            if (Buffered.Length < ChunkBytes) return null;
            at += ChunkBytes - SegmentFormat.FrameHeaderLength + 1;
        }

        return null;
    }

    /// <summary>Whether everything from here on is zero. Stays where it is if not.</summary>
    private async ValueTask<bool> IsRoomAsync(CancellationToken cancellationToken)
    {
        if (!_device.MayTear) return false;
        await FillAsync(1, cancellationToken);
        if (Buffered.IsEmpty || Buffered[0] != 0) return false;
        var at = Offset;
        var isZero = true;
        while (isZero && Offset < _length)
        {
            await FillAsync((int)Math.Min(ChunkBytes, _length - Offset), cancellationToken);

            // It has become shorter: whoever uses it has closed it.
            if (Buffered.IsEmpty) break;
            isZero = !Buffered.ContainsAnyExcept((byte)0);
            Offset += Buffered.Length;
        }

        if (isZero) Room = _length - at;
        Offset = at;
        if (_bufferStart > at) (_bufferStart, _buffered) = (at, 0);
        return isZero;
    }

    private int? FindFrame()
    {
        var rest = Buffered;
        for (var at = 0; ;)
        {
            var next = rest[at..].IndexOf(SegmentFormat.FrameMagicBytes);
            if (next < 0) return null;
            at += next;
            if (rest.Length - at >= SegmentFormat.FrameHeaderLength
                && SegmentFormat.IsFrameHeader(rest.Slice(at, SegmentFormat.FrameHeaderLength), _identity.Seed))
                return at;
            at++;
        }
    }

    private ReadOnlySpan<byte> Buffered =>
        _buffer.AsSpan((int)(Offset - _bufferStart), _buffered - (int)(Offset - _bufferStart));

    // Makes so many bytes from the offset on available, or all that there are.
    private async ValueTask FillAsync(int count, CancellationToken cancellationToken)
    {
        var consumed = Offset - _bufferStart;
        if (consumed <= _buffered && _buffered - consumed >= count) return;
        var kept = consumed < _buffered ? _buffered - (int)consumed : 0;
        var wanted = (int)Math.Min(Math.Max(count, ChunkBytes), _length - Offset);
        var target = _buffer.Length >= wanted ? _buffer : new byte[wanted];
        if (kept > 0) Array.Copy(_buffer, (int)consumed, target, 0, kept);
        _buffer = target;
        _bufferStart = Offset;
        _buffered = kept;
        while (_buffered < wanted)
        {
            var read = await _device.ReadAsync(
                Name, _bufferStart + _buffered, _buffer.AsMemory(_buffered, wanted - _buffered), cancellationToken);
            if (read == 0) return;
            _buffered += read;
        }
    }

    private LogDamagedException Damaged(string what) => new(_device.Location, Name, Offset, what);
}
