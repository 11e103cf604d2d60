using System.Runtime.CompilerServices;

namespace Polyjuice.Storage;

// Finding the end of the log, at first and when others may have moved it.
internal sealed partial class SegmentedLog
{
    private readonly List<long> _segments = [];
    private LogEnd _end;
    private bool _isLoaded;

    /// <summary>Reads what is new at the end. Whether anything was.</summary>
    private async Task<bool> CatchUpAsync(CancellationToken cancellationToken)
    {
        if (!_isLoaded)
        {
            await LoadAsync(cancellationToken);
            return true;
        }

        var before = _end;
        try
        {
            await FollowAsync(cancellationToken);
        }
        catch (Exception exception) when (exception is FileNotFoundException or LogTrimmedException)
        {
            // Others have gone on so far that the segment which was the last one here has been trimmed, or the next one.
            _isLoaded = false;
            await LoadAsync(cancellationToken);
            if (_end.Position < before.Position)
                throw new LogDamagedException(_device.Location, _identity.Segment(before.FirstPosition), 0, $"the segment is gone, and the log ends with batch {_end.Position - 1} now, after {before.Position - 1}");
        }

        _isUncertain = false;
        return _end != before;
    }

    private async Task FollowAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            var length = await _device.GetLengthAsync(_identity.Segment(_end.FirstPosition), cancellationToken);
            if (length < _end.Offset) throw Shortened(length);
            _end = await ScanAsync(_end, length, cancellationToken);
            if (!_end.IsSealed) return;

            // Sealed by whoever was faster, who may have begun the next one already.
            var next = _end.Position;
            try
            {
                await _device.GetLengthAsync(_identity.Segment(next), cancellationToken);
            }
            catch (FileNotFoundException)
            {
                return;
            }

            // One that was trimmed, and made anew by somebody who did not know, is not the log's.
            if (await HighestCheckpointAsync(cancellationToken) is { } highest && highest.Position > next) throw new LogTrimmedException(next, highest.Position);
            _segments.Add(next);
            _end = LogEnd.OfEmpty(next) with { LastId = _end.LastId };
        }
    }

    /// <summary>Whoever went on from here would go on from what is not in the log any more.</summary>
    private LogUnusableException Shortened(long length) => new(
        $"{_device.Location}/{_identity.Segment(_end.FirstPosition)} ends at offset {length} now, and ended at "
        + $"{_end.Offset} before, with batch {_end.Position - 1}. What was there is lost: a replica that was behind has "
        + "taken over, an older state was restored, or somebody cut it. Nothing more is appended here. Restore what is "
        + "lost; or stop all silos of the cluster and start them again: then they go on from what the log has.");

    private async Task LoadAsync(CancellationToken cancellationToken)
    {
        var (shape, damage) = await LogShape.ReadAsync(_device, _identity, cancellationToken);
        if (damage is not null) throw damage;
        _segments.Clear();
        _segments.AddRange(shape.Segments.Select(segment => segment.First));
        if (_segments.Count == 0)
        {
            await _device.CreateAsync(_identity.Segment(0), cancellationToken);
            _segments.Add(0);
        }

        var end = LogEnd.OfEmpty(_segments[^1]);
        var answered = shape.AnsweredOf(_identity.Segment(end.FirstPosition));
        var length = await _device.GetLengthAsync(_identity.Segment(end.FirstPosition), cancellationToken);
        try
        {
            end = await ScanAsync(end, length, cancellationToken);
        }
        catch (LogDamagedException exception) when (_device.MayTear)
        {
            if (exception.Offset < answered)
            {
                var why = $"{exception.What}; {LogShape.Lost(answered)}, so this is not an append that a crash interrupted";
                throw new LogDamagedException(_device.Location, exception.Name, exception.Offset, why);
            }

            end = await CutAsync(exception, length, cancellationToken);
            length = end.Offset;
        }

        if (end.Offset < answered)
        {
            throw new LogDamagedException(
                _device.Location, _identity.Segment(end.FirstPosition), end.Offset, $"nothing follows; {LogShape.Lost(answered)}");
        }

        // Room that was made and not filled: the next append goes where it begins.
        if (end.Offset < length) await _device.TruncateAsync(_identity.Segment(end.FirstPosition), end.Offset, cancellationToken);
        _end = end;
        await FollowAsync(cancellationToken);
        if (shape.Checkpoint is { } known && known.Position > _end.Position)
        {
            throw new LogDamagedException(
                _device.Location, _identity.Segment(_end.FirstPosition), _end.Offset, $"the log ends with batch {_end.Position - 1}, and there is a checkpoint of {known.Position} batches");
        }

        _isLoaded = true;
    }

    /// <summary>Reads a segment's frames from a known end on.</summary>
    private async Task<LogEnd> ScanAsync(LogEnd end, long length, CancellationToken cancellationToken)
    {
        var reader = new SegmentReader(_device, _identity, end.FirstPosition, length, end.Offset);
        while (await reader.NextAsync(cancellationToken))
        {
            if (end.Check(reader.Current) is { } wrong) throw new LogDamagedException(_device.Location, reader.Name, reader.Current.Offset, wrong);
            end = end.After(reader.Current);
        }

        return end;
    }

    /// <summary>
    /// The last segment does not end with a frame. An append that a crash tore was the last one of all, and was never answered: it is cut. If there is a frame behind it, what is
    /// wrong was once right, and nothing is cut.
    /// </summary>
    private async Task<LogEnd> CutAsync(LogDamagedException damage, long length, CancellationToken cancellationToken)
    {
        if (damage.Offset == 0 && length >= SegmentFormat.HeaderLength && await HasForeignHeaderAsync(damage.Name, cancellationToken)) throw damage;
        var reader = new SegmentReader(_device, _identity, _segments[^1], length, damage.Offset);
        if (await reader.FindFrameBehindAsync(cancellationToken) is { } behind)
        {
            throw new LogDamagedException(
                _device.Location, damage.Name, damage.Offset, $"{damage.What}; a batch follows at offset {behind}, so this is not an append that a crash interrupted");
        }

        // The header went out with the first batch, and goes with it.
        var cut = damage.Offset <= SegmentFormat.HeaderLength ? 0 : damage.Offset;
        var end = await ScanAsync(LogEnd.OfEmpty(_segments[^1]), cut, cancellationToken);
        await _device.TruncateAsync(damage.Name, cut, cancellationToken);
        StorageLog.TornTailCut(_logger, $"{_device.Location}/{damage.Name}", cut, Math.Max(1, reader.WrittenEnd - cut), damage.What);
        return end;
    }

    /// <summary>Whether the last segment's header is whole, but another one than it should have: then the file is of another log, and no crash has anything to do with it.</summary>
    private async Task<bool> HasForeignHeaderAsync(string name, CancellationToken cancellationToken)
    {
        var header = new byte[SegmentFormat.HeaderLength];
        await _device.ReadAsync(name, 0, header, cancellationToken);
        return SegmentFormat.IsWholeHeader(header) && SegmentFormat.CheckHeader(header, _identity, _segments[^1], name) is not null;
    }

    /// <summary>What is there now: segments, and up to where the last one is known.</summary>
    private LogSnapshot Snapshot() => new([.. _segments], _end.Offset, _end.Position);

    /// <summary>Frames that end a batch at or after a position, batches in parts put together.</summary>
    private async IAsyncEnumerable<BatchFrame> FramesAsync(LogSnapshot log, long from, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var at = log.SegmentOf(from);
        var position = log.Segments[at];
        for (; at < log.Segments.Length; at++)
        {
            var name = _identity.Segment(log.Segments[at]);
            var isLast = at == log.Segments.Length - 1;
            if (position != log.Segments[at])
                throw new LogDamagedException(_device.Location, name, 0, $"the segment before it ends before batch {position}, and this one begins with {log.Segments[at]}");
            var end = LogEnd.OfEmpty(position);
            var reader = new SegmentReader(_device, _identity, position, isLast ? log.LastLength : await LengthOfAsync(name, from, cancellationToken));
            List<byte>? parts = null;
            while (await ReadNextAsync(reader, from, cancellationToken))
            {
                var frame = reader.Current;
                if (end.Check(frame) is { } wrong) throw new LogDamagedException(_device.Location, name, frame.Offset, wrong);
                var isFirst = end.PartOf != frame.Id;
                end = end.After(frame);
                if (frame.Position < from) continue;
                if (frame.Flags.HasFlag(FrameFlags.Continues))
                {
                    if (isFirst || parts is null) parts = [];
                    parts.AddRange(frame.Payload.Span);
                    continue;
                }

                if (!isFirst)
                {
                    (parts ??= []).AddRange(frame.Payload.Span);
                    frame = frame with { Payload = parts.ToArray() };
                }

                yield return frame;
            }

            if (!isLast && !end.IsSealed) throw new LogDamagedException(_device.Location, name, reader.Offset, "the segment ends without saying so, and others follow");
            position = end.Position;
        }
    }

    private async ValueTask<long> LengthOfAsync(string name, long from, CancellationToken cancellationToken)
    {
        try
        {
            return await _device.GetLengthAsync(name, cancellationToken);
        }
        catch (FileNotFoundException)
        {
            throw await TrimmedAsync(name, from, cancellationToken);
        }
    }

    private async ValueTask<bool> ReadNextAsync(SegmentReader reader, long from, CancellationToken cancellationToken)
    {
        try
        {
            return await reader.NextAsync(cancellationToken);
        }
        catch (FileNotFoundException)
        {
            throw await TrimmedAsync(reader.Name, from, cancellationToken);
        }
    }

    /// <summary>A segment that was listed is gone: trimmed, if a checkpoint stands for it; lost, if not.</summary>
    private async ValueTask<Exception> TrimmedAsync(string name, long from, CancellationToken cancellationToken)
    {
        LogIdentity.TryParse(name, LogIdentity.SegmentSuffix, out var first);
        return await HighestCheckpointAsync(cancellationToken) is { } checkpoint && checkpoint.Position > first
            ? new LogTrimmedException(from, checkpoint.Position)
            : new LogDamagedException(_device.Location, name, 0, "the segment is gone, and no checkpoint stands for it");
    }
}
