using Microsoft.Extensions.Logging;
using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// An owner's way into its log: as many appends under way as it takes, the next batches fill meanwhile (group commit
/// across transactions). There is no timer: a batch goes out as soon as one before it has been answered, so the store's
/// own latency is what it waits for, and a fast store makes small batches, a slow one large ones. Rules L1 and L3. On
/// its engine's turn.
/// </summary>
internal sealed class AppendPipeline
{
    private const int LogBatchBytes = 1024;
    private const int RowBatchBytes = 256;

    private readonly OwnerParts _shared;
    private readonly Ownership _ownership;
    private readonly TimestampCeiling _ceiling;
    private readonly IPartitionLog _log;
    private readonly LogHealth _health;
    private readonly IAppendEvents _events;
    private readonly Queue<LogBatch> _full = [];
    private readonly Queue<LogBatch> _underWay = [];
    private readonly Stack<LogBatch> _spare = [];
    private readonly int _underWayMax;
    private LogBatch _filling;
    private LogBatch? _last;
    private long _waitingBytes;
    private long _lingeringSince;

    // Not where an append has ended when it is asked for: there nobody ever waits for one that is under way.
    private bool _takesTime;

    // None where several appends may be under way, which makes the next one start soon anyway; nor for rows, of which
    // each has few callers.
    private readonly AppendGathering? _gathering;
    private int _awaiting;
    private bool _isHeldBack;

    public AppendPipeline(
        OwnerParts shared, Ownership ownership, TimestampCeiling ceiling, IPartitionLog log, LogHealth health,
        IAppendEvents events)
    {
        _shared = shared;
        _ownership = ownership;
        _ceiling = ceiling;
        _log = log;
        _health = health;
        _events = events;
        _filling = NewBatch();

        // The error of L3 gives up one batch, as if nothing could be behind it.
        _underWayMax = shared.Breaks == ProtocolBreaks.ErrMeansNotWritten ? 1 : log.AppendsUnderWayMax;
        if (!ownership.IsRow && _underWayMax == 1 && shared.Options.GatherAppendsFromMicroseconds > 0)
            _gathering = new AppendGathering(shared.Options.GatherAppendsFromMicroseconds);
    }

    /// <summary>Where the first batch under way goes, or the next one.</summary>
    public long Position { get; private set; }

    /// <summary>The number of the batch that is being filled.</summary>
    public int FillingNumber { get; private set; }

    /// <summary>The records that go out next, unless that batch is full.</summary>
    public ByteWriter Records => _filling.Bytes;

    /// <summary>Somebody waits for one of them.</summary>
    public bool IsAwaited => _filling.IsAwaited;

    /// <summary>Nobody waits for what is being filled.</summary>
    public bool Lingers => _filling.Actions.Count > 0 && !_filling.IsAwaited;

    public bool IsIdle => _underWay.Count == 0;

    /// <summary>An append ends later than in the turn in which it is asked for.</summary>
    public bool TakesTime => _takesTime;

    public bool HasWork => _ownership.IsActive && _underWay.Count < _underWayMax && _health.Failure is null
        && (_full.Count > 0 || (_filling.IsAwaited && !_isHeldBack) || _ceiling.IsWanted);

    /// <summary>The log stands still, and enough waits for it.</summary>
    public bool IsOverloaded => _waitingBytes + Records.Length > _shared.Options.LogBacklogBytesMax || IsFull;

    /// <summary>A row takes nothing new before some of its commit records can go.</summary>
    public bool IsFull => _ownership.IsRow && ((IRowLog)_log).IsFull;

    /// <summary>Commit records take so much of a row that they should go soon.</summary>
    public bool IsPressed => _ownership.IsRow && ((IRowLog)_log).IsPressed;

    /// <summary>For how long what nobody waits for may linger.</summary>
    public long LingerMicroseconds =>
        _ownership.IsRow ? _shared.Options.RowLingerMicroseconds
        : _takesTime ? _shared.Options.LogLingerMicroseconds
        : 0;

    /// <inheritdoc/>
    public override string ToString() =>
        $"appends at {Position} ({_underWay.Count} under way), {_full.Count} full batches and "
        + $"{_filling.Actions.Count} actions wait";

    /// <summary>The first batch goes there.</summary>
    public void Begin(long position) => Position = position;

    /// <summary>Has something done once what was written into <see cref="Records"/> is durable.</summary>
    public void Queue(in DurableAction action)
    {
        _filling.Actions.Add(action);
        _filling.IsAwaited = true;
        _awaiting++;
        _gathering?.Arrived(_shared.Now);
        if (IsFilled) Close();
        _ownership.RequestFlush();
    }

    /// <summary>
    /// What nobody waits for, for the next append that is needed anyway, within a bound. An append of its own would be
    /// in the way of the next prepare, which would have to wait until it has ended; and a store of a row carries that
    /// row's records alone, so where there is little to do each of them would take one of its own.
    /// </summary>
    public void QueueLazily(in DurableAction action)
    {
        if (LingerMicroseconds == 0 || _filling.IsAwaited || IsPressed)
        {
            Queue(action);
            return;
        }

        if (_filling.Actions.Count == 0) _lingeringSince = _shared.Now;
        _filling.Actions.Add(action);
        if (IsFilled) Hurry();
        _ownership.Stir();
    }

    /// <summary>
    /// Has something said once what was written into <see cref="Records"/> is durable, to who has asked.
    /// </summary>
    public void QueueAnswer(NodeId asker, int partition, in Message answer) =>
        (_filling.Answers ??= []).Add((asker, partition, answer));

    /// <summary>What lingers goes out now: nobody is to wait for it any longer.</summary>
    public void Hurry()
    {
        _ownership.StirIfRestless();
        if (_filling.Actions.Count == 0 || _filling.IsAwaited) return;
        _filling.IsAwaited = true;
        _ownership.RequestFlush();
    }

    /// <summary>The same, when it has lingered for long enough.</summary>
    public void HurryIfDue(long now)
    {
        if (Lingers && (now - _lingeringSince >= LingerMicroseconds || IsPressed)) Hurry();
    }

    /// <summary>Whether a batch is to go out now; then <see cref="Send"/> comes next.</summary>
    public bool Begins()
    {
        if (!HasWork || HoldsBack()) return false;
        _isHeldBack = false;
        _awaiting = 0;
        return true;
    }

    /// <summary>Sends the next batch.</summary>
    /// <returns>Its length in bytes.</returns>
    public int Send()
    {
        if (_full.Count == 0) Close();
        var batch = _full.Dequeue();
        _waitingBytes -= batch.Bytes.Length;
        _ceiling.Raise(batch);
        var length = batch.Bytes.Length;
        _shared.Statistics.Appends++;
        _shared.Statistics.AppendBytes += length;
        batch.Position = Position + _underWay.Count;
        batch.Id = _shared.Logs.NextBatchId();
        batch.SentAt = _shared.Now;
        var append = AppendOnce(batch, _underWay.Count > 0 ? _last : null);
        _underWay.Enqueue(batch);
        _last = batch;
        _gathering?.Began(_shared.Now);
        _takesTime = !append.IsCompletedSuccessfully;
        if (!_takesTime) Answered(batch, append.Result);
        else _ = AppendUntilAnswered(batch, append);
        return length;
    }

    private bool IsFilled =>
        Records.Length >= _shared.Options.BatchBytesMax || _filling.Actions.Count >= _shared.Options.BatchRecordsMax;

    /// <summary>It comes back to it when the time is over.</summary>
    private bool HoldsBack()
    {
        if (_gathering is not { } gathering || _underWay.Count > 0 || _full.Count > 0 || _ceiling.IsWanted
            || !gathering.Holds(_shared.Now, _awaiting))
        {
            return false;
        }
        _isHeldBack = true;
        _shared.Host.Schedule(gathering.HeldUntil - _shared.Now, () =>
        {
            _isHeldBack = false;
            if (!_ownership.IsStopped) _ownership.RequestFlush();
        });
        return true;
    }

    private void Close()
    {
        _full.Enqueue(_filling);
        FillingNumber = (FillingNumber + 1) & int.MaxValue;
        _waitingBytes += _filling.Bytes.Length;
        _filling = _spare.TryPop(out var spare) ? spare : NewBatch();
    }

    private LogBatch NewBatch() => new(_shared.Names, _ownership.IsRow ? RowBatchBytes : LogBatchBytes);

    /// <summary>
    /// L1: while the batch before it is under way, a batch is appended behind that one, and behind no rival's in its
    /// place.
    /// </summary>
    private ValueTask<AppendResult> AppendOnce(LogBatch batch, LogBatch? behind = null)
    {
        try
        {
            return behind is null || _shared.Breaks == ProtocolBreaks.BehindAnybody
                ? _log.AppendAsync(batch.Position, batch.Id, batch.Bytes.WrittenMemory, _ownership.Stopping)
                : _log.AppendBehindAsync(
                    behind.Id, batch.Position, batch.Id, batch.Bytes.WrittenMemory, _ownership.Stopping);
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<AppendResult>(exception);
        }
    }

    /// <summary>
    /// L3: until the same batch is found at the same position, or another is, nothing in it is decided either way. What
    /// is behind a batch that failed has failed with it, or is there with it; it is tried again in its turn.
    /// </summary>
    private async Task AppendUntilAnswered(LogBatch batch, ValueTask<AppendResult> append)
    {
        while (true)
        {
            try
            {
                Answered(batch, await append);
                return;
            }
            catch (InvariantException exception)
            {
                _shared.Fail(exception);
                return;
            }
            catch (LogUnusableException exception) when (!_ownership.IsStopped)
            {
                // Nothing in this batch is decided either way; the next owner finds out, once the log can be used
                // again.
                _shared.Log.LogUnusable(exception, _ownership.Name);
                _ownership.GiveUp();
                return;
            }
            catch (Exception) when (!_ownership.IsStopped && batch != _underWay.Peek())
            {
                batch.IsPutOff = true;
                return;
            }
            catch (Exception exception) when (!_ownership.IsStopped)
            {
                if (_health.Failed(exception, Position)) _events.LogOut();
                if (_shared.Breaks == ProtocolBreaks.ErrMeansNotWritten)
                {
                    await TakeErrorForNotWritten();
                    return;
                }

                await _shared.Timers.Delay(_health.Pause);

                // An engine that stops has no pauses. Of a log that fails at once this would be asked for ever, on the
                // turn.
                if (_ownership.IsStopped || _shared.IsStopped) return;
                append = AppendOnce(batch);
            }
            catch (Exception) when (_ownership.IsStopped)
            {
                return;
            }
        }
    }

    /// <summary>Batches count in the order of their positions, in whichever order the answers come.</summary>
    private void Answered(LogBatch answered, AppendResult result)
    {
        answered.Answer = result;
        while (!_ownership.IsStopped && _underWay.TryPeek(out var first))
        {
            if (first.Answer is not { } answer)
            {
                if (!first.IsPutOff) return;
                first.IsPutOff = false;
                _ = AppendUntilAnswered(first, AppendOnce(first));
                return;
            }

            _underWay.Dequeue();
            Appended(first, answer);
        }
    }

    private void Appended(LogBatch batch, AppendResult result)
    {
        _health.Answered();
        _gathering?.Ended(_shared.Now);
        if (result == AppendResult.Conflict)
        {
            _ownership.LoseToRival();
            return;
        }

        Position++;
        var took = Math.Max(0, _shared.Now - batch.SentAt);
        _shared.Statistics.AppendMicroseconds += took;
        if (_shared.Metrics.TimesAppends) _shared.Metrics.Appended(took, batch.Bytes.Length, _ownership.IsRow);
        _events.Appended(batch);
        batch.Clear();
        if (_spare.Count < _underWayMax) _spare.Push(batch);
        _ownership.RequestFlush();
    }

    /// <inheritdoc cref="IAppendEvents.TakenForNotWritten"/>
    private async Task TakeErrorForNotWritten()
    {
        var batch = _underWay.Dequeue();
        Position = await _log.GetEndAsync(_ownership.Stopping);
        _events.TakenForNotWritten(batch);
        _ownership.RequestFlush();
    }
}
