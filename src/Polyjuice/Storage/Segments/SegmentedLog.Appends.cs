namespace Polyjuice.Storage;

// Appending: the offset is the condition (L1), and after any doubt the end of the log is read before anything is said (L3).
internal sealed partial class SegmentedLog
{
    private byte[] _frames = [];
    private bool _isUncertain;

    private async Task<AppendResult> AppendCoreAsync(BatchId? behind, long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken)
    {
        if (_lockLost.IsCancellationRequested) throw new LogUnusableException($"The lock of {_device.Location} was lost: another process may use the logs by now. Start again.");
        if (!_isLoaded || _isUncertain || position > _end.Position) await CatchUpAsync(cancellationToken);
        if (behind is { } before && position >= _end.Position)
        {
            if (position > _end.Position) throw new IOException($"Batch {position} was not appended to {_device.Location}/{_end.Segment}, because batch {position - 1} before it was not; it is tried again behind that one.");
            if (await FindAsync(position - 1, cancellationToken) != before) return AppendResult.Conflict;
        }

        while (position == _end.Position)
        {
            if (_end.IsSealed) await BeginSegmentAsync(cancellationToken);
            var done = _end.PartOf == batchId ? _end.PartBytes : 0;
            var begins = _end.Offset == 0;
            var result = await AppendPartAsync(position, batchId, batch, done, cancellationToken);
            if (begins && result == DeviceAppendResult.Appended)
            {
                // There may have been a segment of this name before, which others went beyond and trimmed: then this one is nobody's log, although it took the append.
                _isLoaded = false;
                if (await IsOvertakenAsync(position, cancellationToken)) return AppendResult.Conflict;
                _isLoaded = true;
            }

            // Whoever was faster: it may have been this very batch, by an earlier call that was reported as failed.
            if (result == DeviceAppendResult.Conflict && !await CatchUpAsync(cancellationToken))
                throw new IOException($"{_device.Location}/{_end.Segment} did not take an append at offset {_end.Offset}, and shows nothing behind it.");
        }

        if (position > _end.Position) return AppendResult.Conflict;
        return await FindAsync(position, cancellationToken) == batchId ? AppendResult.Appended : AppendResult.Conflict;
    }

    private async Task<DeviceAppendResult> AppendPartAsync(long position, BatchId batchId, ReadOnlyMemory<byte> batch, int done, CancellationToken cancellationToken)
    {
        var header = _end.Offset == 0 ? SegmentFormat.HeaderLength : 0;
        var part = Math.Min(batch.Length - done, _device.AppendBytesMax - header - SegmentFormat.Overhead);
        var length = header + SegmentFormat.Overhead + part;
        var flags = FrameFlags.None;
        if (part < batch.Length - done) flags = FrameFlags.Continues;
        else if (_end.Offset + length >= _options.SegmentBytes || _end.Appends + 1 >= _device.AppendsPerSegmentMax - PartsReserve) flags = FrameFlags.EndsSegment;
        if (_frames.Length < length) _frames = new byte[Math.Max(length, Math.Min(_frames.Length * 2, 1 << 20))];
        if (header > 0) SegmentFormat.WriteHeader(_frames, _identity, _end.FirstPosition);
        SegmentFormat.WriteFrame(_frames.AsSpan(header, length - header), _identity.Seed, position, batchId, flags, batch.Span.Slice(done, part));
        _isUncertain = true;
        var result = await _device.AppendAsync(_identity.Segment(_end.FirstPosition), _end.Offset, _frames.AsMemory(0, length), cancellationToken);
        _isUncertain = false;
        if (result == DeviceAppendResult.Appended)
            _end = _end.After(new BatchFrame(_end.Offset + header, position, batchId, flags, batch.Slice(done, part)));
        return result;
    }

    /// <summary>
    /// A batch in parts ends in the segment in which it began, so the segment is ended while there is still room for a long one.
    /// </summary>
    private int PartsReserve => Math.Min(256, _device.AppendsPerSegmentMax / 4);

    /// <summary>The next segment's name follows from where this one ended, so rivals make the same one.</summary>
    private async Task BeginSegmentAsync(CancellationToken cancellationToken)
    {
        await _device.CreateAsync(_identity.Segment(_end.Position), cancellationToken);
        _segments.Add(_end.Position);
        _end = LogEnd.OfEmpty(_end.Position) with { LastId = _end.LastId };
    }

    /// <summary>Which batch is at a position.</summary>
    private async Task<BatchId?> FindAsync(long position, CancellationToken cancellationToken)
    {
        if (position == _end.Position - 1 && _end.LastId is { } last) return last;
        if (await IsOvertakenAsync(position, cancellationToken)) return null;
        try
        {
            await foreach (var frame in FramesAsync(Snapshot(), position, cancellationToken)) return frame.Id;
        }
        catch (LogTrimmedException)
        {
            // Somebody who came later has recovered from it and gone on: whoever still asks has been deposed.
        }

        return null;
    }
}
