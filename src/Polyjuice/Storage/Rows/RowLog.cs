using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Storage;

/// <summary>
/// A row as the log of the partition that it is: after every batch it holds what follows from all batches, as a
/// checkpoint does. So the commit protocol is the same here as on a log; the row's ETag is the fence (L1), and the
/// batch's identity, which is in the row, tells after a store that threw whether it is there (L3).
/// </summary>
/// <typeparam name="T">The state type.</typeparam>
internal sealed class RowLog<T> : IRowLog where T : class
{
    private const long MicrosecondsAheadMax = 3_600_000_000;
    private const int PressedFraction = 4;

    private static readonly HashSet<TransactionId> s_none = [];

    private readonly ParticipantKey _key;
    private readonly IRowStore<T> _store;
    private readonly RowReader<T> _reader;
    private readonly RowWriter<T> _writer;
    private readonly Func<long> _now;
    private readonly int _metadataBytesMax;
    private readonly ProtocolBreaks _breaks;
    private readonly Dictionary<TransactionId, Guid> _foreign = [];
    private LogImage? _image;
    private List<byte[]> _recovery = [];
    private RowView? _row;
    private VersionId _committed;
    private RowWrite<T>? _unsettled;
    private InvariantException? _misfit;
    private long _end;
    private long _beginning;
    private bool _isRecovering;

    public RowLog(
        ParticipantKey key, int partition, IStateCodec<T> codec, IRowStore<T> store, PartitionNames names,
        EngineOptions options, Func<long> now)
    {
        _key = key;
        _store = store;
        _reader = new RowReader<T>(key, partition, codec, names, options.Breaks);
        _writer = new RowWriter<T>(key, codec, names, options.Breaks);
        _now = now;
        _metadataBytesMax = options.RowMetadataBytesMax;
        _breaks = options.Breaks;
    }

    public bool IsFull { get; private set; }

    public bool IsPressed { get; private set; }

    public bool IsSettled { get; private set; }

    public void BeginAt(long position) => _beginning = Math.Max(_beginning, position);

    /// <summary>
    /// Loads the row: what it says is what <see cref="ReadAsync"/> gives until the next batch is in it.
    /// </summary>
    public async ValueTask<long> GetEndAsync(CancellationToken cancellationToken)
    {
        var content = await _store.LoadAsync(cancellationToken);
        var ahead = (RowFormat.TimestampOf(content.Metadata.TimeStamp) >> HybridClock.LogicalBits) - _now();
        if (ahead > MicrosecondsAheadMax)
            throw new LogUnusableException(
                $"The row {_key.Grain}.{_key.State} has the time stamp {content.Metadata.TimeStamp:O}, "
                + $"{ahead / 1_000_000} s ahead of this machine's clock; nothing may be written there before. Set the "
                + "clock right, or the row's time stamp.");
        _foreign.Clear();
        _writer.Clear();
        _unsettled = null;
        _misfit = null;
        _row = _reader.View(content);
        _image = _reader.Read(content, _foreign);

        // Of an image of its own, because writing one folds it; the other is
        // folded with the next batch, and what that says goes into the row.
        _recovery = [.. _reader.Read(content, []).Write().Select(piece => piece.ToArray())];
        _isRecovering = true;
        _committed = _image.States.Find(_key)?.Version ?? default;

        // Epochs never come again, even if another engine had the row in between
        // and has taken the head away: no row is written a million times a second.
        _end = _row.Head is { } head
            ? head.Position + 1
            : Math.Max(_now(), RowFormat.TimestampOf(content.Metadata.TimeStamp) >> HybridClock.LogicalBits);
        IsSettled = _end >= _beginning && _image.FirstPrepare < 0 && _image.Commits.Ids.All(IsClosed);
        _end = Math.Max(_end, _beginning);
        return _end;
    }

    private bool IsClosed(TransactionId id) =>
        _image!.Commits.TryGet(id, out var commit) && commit is { MustBeAcknowledged: false, HasDependencies: false };

    public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
        long from, long to, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        foreach (var piece in _recovery)
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return piece;
        }

        await ValueTask.CompletedTask;
    }

    public async ValueTask<AppendResult> AppendAsync(
        long position, BatchId batchId, ReadOnlyMemory<byte> batch, CancellationToken cancellationToken)
    {
        if (_unsettled is { } unsettled && unsettled.Batch == batchId && unsettled.Position == position)
        {
            if (await FindAsync(unsettled, cancellationToken) is { } known) return known;
        }
        else
        {
            if (_image is null || position != _end || _unsettled is not null) return AppendResult.Conflict;
            if (_misfit is not null || !TryBegin(position, batchId, batch.Span))
                return await ConflictOrMisfit(cancellationToken);
            unsettled = _unsettled!;
        }

        if (unsettled.From(_row!) is not var (prepare, commitUpTo, abortAfter)) return AppendResult.Conflict;
        Settle(
            unsettled,
            await _store.StoreAsync(
                _row!.ETag, unsettled.Metadata, prepare, commitUpTo, abortAfter, cancellationToken));
        return AppendResult.Appended;
    }

    private bool TryBegin(long position, BatchId batchId, ReadOnlySpan<byte> batch)
    {
        // The fence is the first batch, or in it; whoever recovers has read by the second.
        if (!_isRecovering) _recovery = [];
        _isRecovering = false;
        var known = _image!.Outcomes.Count == 0 ? s_none : _image.Outcomes.Keys.ToHashSet();
        _image.AddOnly(batch);
        try
        {
            _unsettled = _writer.Write(_image, position, batchId, _row!, _committed, known, _foreign, out var bytes);
            IsFull = bytes > _metadataBytesMax;
            IsPressed = bytes > _metadataBytesMax / PressedFraction;
            return true;
        }
        catch (InvariantException exception)
        {
            _misfit = exception;
            return false;
        }
    }

    /// <summary>
    /// What has been acknowledged by the owner after this one is forgotten by its manager, who tells this one that it
    /// aborted (V6). On a log such a batch meets the fence. Here it has to fit on what this owner knows before it is
    /// stored: so the fence is looked for when it does not.
    /// </summary>
    private async ValueTask<AppendResult> ConflictOrMisfit(CancellationToken cancellationToken)
    {
        if (IsAnothers(_reader.View(await _store.LoadAsync(cancellationToken)))) return AppendResult.Conflict;
        ExceptionDispatchInfo.Throw(_misfit!);
        return default;
    }

    /// <summary>
    /// L3: whether the batch is there, or another is; <see langword="null"/>
    /// when it has to be stored once more, onto what there is now.
    /// </summary>
    private async ValueTask<AppendResult?> FindAsync(RowWrite<T> unsettled, CancellationToken cancellationToken)
    {
        var content = await _store.LoadAsync(cancellationToken);
        var row = _reader.View(content);
        if (row.Head is { } head
            && (head.Batch == unsettled.Batch
                || (head.Position == unsettled.Position && _breaks == ProtocolBreaks.RowBatchIdentity)))
        {
            Settle(unsettled, content.ETag!);
            return AppendResult.Appended;
        }

        if (IsAnothers(row)) return AppendResult.Conflict;
        _row = row;
        return null;
    }

    /// <summary>Whether somebody else has stored the row.</summary>
    /// <param name="row">What there is now.</param>
    private bool IsAnothers(RowView row) =>
        // In a row without a head only the ETag says whether it is the one that was read; what is written there first
        // is a fence, which then begins again.
        row.Head?.Batch != _row!.Head?.Batch || (row.Head is null && row.ETag != _row.ETag);

    private void Settle(RowWrite<T> write, string etag)
    {
        _unsettled = null;
        _committed = write.Committed;
        _end = write.Position + 1;
        _row = new RowView(
            etag, new RowHead(write.Position, _image!.States.Find(_key)?.Timestamp ?? 0, write.Batch),
            write.CommittedSequenceId, [.. write.Entries.Select(one => one.Entry)], write.LastSequenceId);
    }
}
