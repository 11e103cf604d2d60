using Microsoft.Extensions.Logging;

namespace Polyjuice.Storage;

/// <summary>
/// What is known of a log's segments and its end, and finding the end, at first and when others may have moved it. One
/// operation at a time.
/// </summary>
/// <param name="device">Where the segments are.</param>
/// <param name="identity">The log's.</param>
/// <param name="checkpoints">The log's.</param>
/// <param name="logger">Where it says what it cuts.</param>
internal sealed class LogTail(ILogDevice device, LogIdentity identity, LogCheckpoints checkpoints, ILogger logger)
{
    private readonly List<long> _segments = [];
    private LogEnd _end;
    private bool _isLoaded;
    private bool _isUncertain;

    /// <summary>The log's end, as far as it is known.</summary>
    public ref readonly LogEnd End => ref _end;

    /// <summary>Whether the end was found.</summary>
    public bool IsLoaded => _isLoaded;

    /// <summary>Whether the end was found, and every append since was answered.</summary>
    public bool IsCertain => _isLoaded && !_isUncertain;

    /// <summary>What is there now: segments, and up to where the last one is known.</summary>
    public LogSnapshot Snapshot() => new([.. _segments], _end.Offset, _end.Position);

    /// <summary>An append begins: until it is answered, nobody knows where the end is (L3).</summary>
    public void BeginAppend() => _isUncertain = true;

    /// <summary>It was answered, and is not there.</summary>
    public void AppendRefused() => _isUncertain = false;

    /// <summary>It was answered, and is there, behind the header if it was the segment's first.</summary>
    public void Appended(int header, long position, BatchId id, FrameFlags flags, ReadOnlyMemory<byte> payload)
    {
        _isUncertain = false;
        _end = _end.After(new BatchFrame(_end.Offset + header, position, id, flags, payload));
    }

    /// <summary>
    /// Begins the next segment. Its name follows from where this one ended, so rivals make the same one.
    /// </summary>
    public async Task BeginSegmentAsync(CancellationToken cancellationToken)
    {
        await device.CreateAsync(identity.Segment(_end.Position), cancellationToken);
        _segments.Add(_end.Position);
        _end = LogEnd.OfEmpty(_end.Position) with { LastId = _end.LastId };
    }

    /// <summary>
    /// A segment has taken its first append. There may have been a segment of this name before, which others went
    /// beyond and trimmed: then this one is nobody's log, although it took the append.
    /// </summary>
    /// <returns>Whether that is so; then the end has to be found anew.</returns>
    public async Task<bool> IsOvertakenAsync(long position, CancellationToken cancellationToken)
    {
        _isLoaded = false;
        if (await checkpoints.AreBeyondAsync(position, cancellationToken)) return true;
        _isLoaded = true;
        return false;
    }

    /// <summary>Segments before a position were trimmed.</summary>
    public void Trimmed(long left)
    {
        while (_segments.Count > 1 && _segments[0] < left) _segments.RemoveAt(0);
    }

    /// <summary>Reads what is new at the end. Whether anything was.</summary>
    public async Task<bool> CatchUpAsync(CancellationToken cancellationToken)
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
            // Others have gone on so far that the segment which was the last one here has been trimmed, or the next
            // one.
            _isLoaded = false;
            await LoadAsync(cancellationToken);
            if (_end.Position < before.Position)
            {
                throw new LogDamagedException(
                    device.Location, identity.Segment(before.FirstPosition), 0,
                    $"the segment is gone, and the log ends with batch {_end.Position - 1} now, after "
                    + $"{before.Position - 1}");
            }
        }

        _isUncertain = false;
        return _end != before;
    }

    private async Task FollowAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            var length = await device.GetLengthAsync(identity.Segment(_end.FirstPosition), cancellationToken);
            if (length < _end.Offset) throw Shortened(length);
            _end = await ScanAsync(_end, length, cancellationToken);
            if (!_end.IsSealed) return;

            // Sealed by whoever was faster, who may have begun the next one already.
            var next = _end.Position;
            try
            {
                await device.GetLengthAsync(identity.Segment(next), cancellationToken);
            }
            catch (FileNotFoundException)
            {
                return;
            }

            // One that was trimmed, and made anew by somebody who did not know, is not the log's.
            if (await checkpoints.HighestAsync(cancellationToken) is { } highest && highest.Position > next)
                throw new LogTrimmedException(next, highest.Position);
            _segments.Add(next);
            _end = LogEnd.OfEmpty(next) with { LastId = _end.LastId };
        }
    }

    /// <summary>Whoever went on from here would go on from what is not in the log any more.</summary>
    private LogUnusableException Shortened(long length) => new(
        $"{device.Location}/{identity.Segment(_end.FirstPosition)} ends at offset {length} now, and ended at "
        + $"{_end.Offset} before, with batch {_end.Position - 1}. What was there is lost: a replica that was "
        + "behind has taken over, an older state was restored, or somebody cut it. Nothing more is appended here. "
        + "Restore what is lost; or stop all silos of the cluster and start them again: then they go on from what "
        + "the log has.");

    private async Task LoadAsync(CancellationToken cancellationToken)
    {
        var (shape, damage) = await LogShape.ReadAsync(device, identity, cancellationToken);
        if (damage is not null) throw damage;
        _segments.Clear();
        _segments.AddRange(shape.Segments.Select(segment => segment.First));
        if (_segments.Count == 0)
        {
            await device.CreateAsync(identity.Segment(0), cancellationToken);
            _segments.Add(0);
        }

        var end = LogEnd.OfEmpty(_segments[^1]);
        var answered = shape.AnsweredOf(identity.Segment(end.FirstPosition));
        var length = await device.GetLengthAsync(identity.Segment(end.FirstPosition), cancellationToken);
        try
        {
            end = await ScanAsync(end, length, cancellationToken);
        }
        catch (LogDamagedException exception) when (device.MayTear)
        {
            if (exception.Offset < answered)
            {
                var why = $"{exception.What}; {LogShape.Lost(answered)}, so this is not an append that a crash "
                    + "interrupted";
                throw new LogDamagedException(device.Location, exception.Name, exception.Offset, why);
            }

            end = await CutAsync(exception, length, cancellationToken);
            length = end.Offset;
        }

        if (end.Offset < answered)
        {
            throw new LogDamagedException(
                device.Location, identity.Segment(end.FirstPosition), end.Offset,
                $"nothing follows; {LogShape.Lost(answered)}");
        }

        // Room that was made and not filled: the next append goes where it begins.
        if (end.Offset < length)
            await device.TruncateAsync(identity.Segment(end.FirstPosition), end.Offset, cancellationToken);
        _end = end;
        await FollowAsync(cancellationToken);
        if (shape.Checkpoint is { } known && known.Position > _end.Position)
        {
            throw new LogDamagedException(
                device.Location, identity.Segment(_end.FirstPosition), _end.Offset,
                $"the log ends with batch {_end.Position - 1}, and there is a checkpoint of {known.Position} batches");
        }

        _isLoaded = true;
    }

    /// <summary>Reads a segment's frames from a known end on.</summary>
    private async Task<LogEnd> ScanAsync(LogEnd end, long length, CancellationToken cancellationToken)
    {
        var reader = new SegmentReader(device, identity, end.FirstPosition, length, end.Offset);
        while (await reader.NextAsync(cancellationToken))
        {
            if (end.Check(reader.Current) is { } wrong)
                throw new LogDamagedException(device.Location, reader.Name, reader.Current.Offset, wrong);
            end = end.After(reader.Current);
        }

        return end;
    }

    /// <summary>
    /// The last segment does not end with a frame. An append that a crash tore was the last one of all, and was never
    /// answered: it is cut. If there is a frame behind it, what is wrong was once right, and nothing is cut.
    /// </summary>
    private async Task<LogEnd> CutAsync(LogDamagedException damage, long length, CancellationToken cancellationToken)
    {
        if (damage.Offset == 0 && length >= SegmentFormat.HeaderLength
            && await HasForeignHeaderAsync(damage.Name, cancellationToken))
            throw damage;
        var reader = new SegmentReader(device, identity, _segments[^1], length, damage.Offset);
        if (await reader.FindFrameBehindAsync(cancellationToken) is { } behind)
        {
            throw new LogDamagedException(
                device.Location, damage.Name, damage.Offset,
                $"{damage.What}; a batch follows at offset {behind}, so this is not an append that a crash "
                + "interrupted");
        }

        // The header went out with the first batch, and goes with it.
        var cut = damage.Offset <= SegmentFormat.HeaderLength ? 0 : damage.Offset;
        var end = await ScanAsync(LogEnd.OfEmpty(_segments[^1]), cut, cancellationToken);
        await device.TruncateAsync(damage.Name, cut, cancellationToken);
        StorageLog.TornTailCut(
            logger, $"{device.Location}/{damage.Name}", cut, Math.Max(1, reader.WrittenEnd - cut), damage.What);
        return end;
    }

    /// <summary>
    /// Whether the last segment's header is whole, but another one than it should have: then the file is of another
    /// log, and no crash has anything to do with it.
    /// </summary>
    private async Task<bool> HasForeignHeaderAsync(string name, CancellationToken cancellationToken)
    {
        var header = new byte[SegmentFormat.HeaderLength];
        await device.ReadAsync(name, 0, header, cancellationToken);
        return SegmentFormat.IsWholeHeader(header)
            && SegmentFormat.CheckHeader(header, identity, _segments[^1], name) is not null;
    }
}
