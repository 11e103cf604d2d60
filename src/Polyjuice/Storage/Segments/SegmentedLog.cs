using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace Polyjuice.Storage;

/// <summary>
/// One partition's log in segments on a device. What decides is the device: an append goes to an exact offset of the
/// last segment, so that of two rivals, in whatever processes, one finds the place taken, reads what is there, and
/// knows: the offset is the condition (L1), and after any doubt the end of the log is read before anything is said
/// (L3). Everything here is on the log's own <see cref="SerialContext"/>, one operation at a time.
/// </summary>
internal sealed class SegmentedLog : IPartitionLog
{
    private readonly ILogDevice _device;
    private readonly LogIdentity _identity;
    private readonly SegmentedLogOptions _options;
    private readonly SerialContext _context;
    private readonly CancellationToken _lockLost;
    private readonly LogCheckpoints _checkpoints;
    private readonly SegmentFrames _frameReader;
    private readonly LogTail _tail;
    private byte[] _frames = [];
    private Task _turn = Task.CompletedTask;

    public SegmentedLog(
        ILogDevice device, LogIdentity identity, SegmentedLogOptions options, SerialContext context,
        CancellationToken lockLost, ILogger logger)
    {
        _device = device;
        _identity = identity;
        _options = options;
        _context = context;
        _lockLost = lockLost;
        _checkpoints = new LogCheckpoints(device, identity, logger);
        _frameReader = new SegmentFrames(device, identity, _checkpoints);
        _tail = new LogTail(device, identity, _checkpoints, logger);
    }

    /// <inheritdoc/>
    public bool TakesCheckpoints => true;

    /// <inheritdoc/>
    public string Location => _device.Location;

    /// <inheritdoc/>
    public ValueTask<AppendResult> AppendAsync(
        long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken) =>
        new(InTurnAsync(() => AppendCoreAsync(null, position, batchId, batch, cancellationToken), cancellationToken));

    /// <inheritdoc/>
    public int AppendsUnderWayMax { get; init; } = 1;

    /// <inheritdoc/>
    public ValueTask<AppendResult> AppendBehindAsync(
        BatchId behind, long position, BatchId batchId, ReadOnlyMemory<byte> batch,
        CancellationToken cancellationToken) =>
        new(InTurnAsync(() => AppendCoreAsync(behind, position, batchId, batch, cancellationToken), cancellationToken));

    /// <inheritdoc/>
    public ValueTask<long> GetEndAsync(CancellationToken cancellationToken) => new(InTurnAsync(
        async () =>
        {
            await _tail.CatchUpAsync(cancellationToken);
            return _tail.End.Position;
        },
        cancellationToken));

    /// <inheritdoc/>
    public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
        long from, long to, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (from >= to) yield break;
        var log = await InTurnAsync(
            async () =>
            {
                if (!_tail.IsLoaded || _tail.End.Position < to) await _tail.CatchUpAsync(cancellationToken);
                return _tail.Snapshot();
            },
            cancellationToken);
        if (log.End < to) throw new InvalidOperationException($"The log ends before position {to}.");
        var position = from;
        await foreach (var frame in _frameReader.ReadAsync(log, from, cancellationToken))
        {
            yield return frame.Payload;
            if (++position == to) yield break;
        }

        throw new LogDamagedException(
            _device.Location, _identity.Segment(log.Segments[^1]), log.LastLength, $"batch {position} is missing");
    }

    /// <inheritdoc/>
    public ValueTask<LogCheckpoint?> GetCheckpointAsync(CancellationToken cancellationToken) =>
        _checkpoints.GetAsync(cancellationToken);

    /// <inheritdoc/>
    public ValueTask WriteCheckpointAsync(
        long position, IAsyncEnumerable<ReadOnlyMemory<byte>> content, CancellationToken cancellationToken) =>
        _checkpoints.WriteAsync(position, content, cancellationToken);

    /// <inheritdoc/>
    public async ValueTask<long> TrimAsync(CancellationToken cancellationToken)
    {
        if (await _checkpoints.TrimAsync(cancellationToken) is not { } left) return 0;
        return await InTurnAsync(
            () =>
            {
                _tail.Trimmed(left);
                return Task.FromResult(left);
            },
            cancellationToken);
    }

    private async Task<AppendResult> AppendCoreAsync(
        BatchId? behind, long position, BatchId batchId, ReadOnlyMemory<byte> batch,
        CancellationToken cancellationToken)
    {
        if (_lockLost.IsCancellationRequested)
        {
            throw new LogUnusableException(
                $"The lock of {_device.Location} was lost: another process may use the logs by now. Start again.");
        }

        if (!_tail.IsCertain || position > _tail.End.Position) await _tail.CatchUpAsync(cancellationToken);
        if (behind is { } before && position >= _tail.End.Position)
        {
            if (position > _tail.End.Position)
            {
                throw new IOException(
                    $"Batch {position} was not appended to {_device.Location}/{_tail.End.Segment}, because batch "
                    + $"{position - 1} before it was not; it is tried again behind that one.");
            }

            if (await FindAsync(position - 1, cancellationToken) != before) return AppendResult.Conflict;
        }

        while (position == _tail.End.Position)
        {
            if (_tail.End.IsSealed) await _tail.BeginSegmentAsync(cancellationToken);
            var done = _tail.End.PartOf == batchId ? _tail.End.PartBytes : 0;
            var begins = _tail.End.Offset == 0;
            var result = await AppendPartAsync(position, batchId, batch, done, cancellationToken);
            if (begins && result == DeviceAppendResult.Appended
                && await _tail.IsOvertakenAsync(position, cancellationToken))
                return AppendResult.Conflict;

            // Whoever was faster: it may have been this very batch, by an earlier call that was reported as failed.
            if (result == DeviceAppendResult.Conflict && !await _tail.CatchUpAsync(cancellationToken))
            {
                throw new IOException(
                    $"{_device.Location}/{_tail.End.Segment} did not take an append at offset {_tail.End.Offset}, and "
                    + "shows nothing behind it.");
            }
        }

        if (position > _tail.End.Position) return AppendResult.Conflict;
        return await FindAsync(position, cancellationToken) == batchId ? AppendResult.Appended : AppendResult.Conflict;
    }

    private async Task<DeviceAppendResult> AppendPartAsync(
        long position, BatchId batchId, ReadOnlyMemory<byte> batch, int done, CancellationToken cancellationToken)
    {
        var header = _tail.End.Offset == 0 ? SegmentFormat.HeaderLength : 0;
        var part = Math.Min(batch.Length - done, _device.AppendBytesMax - header - SegmentFormat.Overhead);
        var length = header + SegmentFormat.Overhead + part;
        var flags = FrameFlags.None;
        if (part < batch.Length - done) flags = FrameFlags.Continues;
        else if (EndsSegment(length)) flags = FrameFlags.EndsSegment;
        if (_frames.Length < length) _frames = new byte[Math.Max(length, Math.Min(_frames.Length * 2, 1 << 20))];
        if (header > 0) SegmentFormat.WriteHeader(_frames, _identity, _tail.End.FirstPosition);
        SegmentFormat.WriteFrame(
            _frames.AsSpan(header, length - header), _identity.Seed, position, batchId, flags,
            batch.Span.Slice(done, part));
        _tail.BeginAppend();
        var result = await _device.AppendAsync(
            _identity.Segment(_tail.End.FirstPosition), _tail.End.Offset, _frames.AsMemory(0, length),
            cancellationToken);
        if (result == DeviceAppendResult.Appended)
            _tail.Appended(header, position, batchId, flags, batch.Slice(done, part));
        else _tail.AppendRefused();
        return result;
    }

    private bool EndsSegment(int length) =>
        _tail.End.Offset + length >= _options.SegmentBytes
        || _tail.End.Appends + 1 >= _device.AppendsPerSegmentMax - PartsReserve;

    /// <summary>
    /// A batch in parts ends in the segment in which it began, so the segment is ended while there is still room for a
    /// long one.
    /// </summary>
    private int PartsReserve => Math.Min(256, _device.AppendsPerSegmentMax / 4);

    /// <summary>Which batch is at a position.</summary>
    private async Task<BatchId?> FindAsync(long position, CancellationToken cancellationToken)
    {
        if (position == _tail.End.Position - 1 && _tail.End.LastId is { } last) return last;
        if (await _checkpoints.AreBeyondAsync(position, cancellationToken)) return null;
        try
        {
            await foreach (var frame in _frameReader.ReadAsync(_tail.Snapshot(), position, cancellationToken))
                return frame.Id;
        }
        catch (LogTrimmedException)
        {
            // Somebody who came later has recovered from it and gone on: whoever still asks has been deposed.
        }

        return null;
    }

    /// <summary>One operation after the other: what one has found out holds until it is done.</summary>
    private Task<T> InTurnAsync<T>(Func<Task<T>> operation, CancellationToken cancellationToken) =>
        _context.RunAsync(async () =>
        {
            var before = _turn;
            var done = new TaskCompletionSource();
            _turn = done.Task;
            try
            {
                await before;
                cancellationToken.ThrowIfCancellationRequested();
                return await operation();
            }
            finally
            {
                done.SetResult();
            }
        });
}
