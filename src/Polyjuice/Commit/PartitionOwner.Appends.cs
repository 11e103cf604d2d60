using Polyjuice.Diagnostics;
using Microsoft.Extensions.Logging;
using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Commit;

// The log: as many appends under way as it takes, the next batches fill meanwhile (group commit across transactions). There is no timer: a batch goes out as soon as one before it has been answered, so the
// store's own latency is what it waits for, and a fast store makes small batches, a slow one large ones. Rules L1 to L4.
internal sealed partial class PartitionOwner
{
    private const int LogBatchBytes = 1024;
    private const int RowBatchBytes = 256;

    private readonly Queue<LogBatch> _full = [];
    private readonly Queue<LogBatch> _underWay = [];
    private readonly Stack<LogBatch> _spareBatches = [];
    private readonly int _underWayMax;
    private readonly CancellationTokenSource _stopping = new();
    private LogBatch _filling;
    private int _fillingNumber;
    private LogBatch? _last;
    private long _position;
    private long _waitingBytes;
    private long _ceilingWanted;
    private long _ceilingQueued;
    private long _floor;
    private long _lingeringSince;

    // Not where an append has ended when it is asked for: there nobody ever waits for one that is under way.
    private bool _appendsTakeTime;

    // None where several appends may be under way, which makes the next one start soon anyway; nor for rows, of which each has few callers.
    private readonly AppendGathering? _gathering;
    private int _awaiting;
    private bool _isHeldBack;

    /// <summary>The durable timestamp ceiling (L4).</summary>
    public long Ceiling { get; private set; }

    public bool HasWork => IsActive && _underWay.Count < _underWayMax && _health.Failure is null && (_full.Count > 0 || (_filling.IsAwaited && !_isHeldBack) || NeedsCeiling);

    /// <summary>The records that go out next, unless that batch is full.</summary>
    private ByteWriter _batch => _filling.Bytes;

    /// <summary>The least that is worth a record: for who needs an append, whatever is in it.</summary>
    private long NextCeiling => Math.Max(Ceiling, _ceilingQueued) + 1;

    private bool NeedsCeiling => _ceilingWanted > Math.Max(Ceiling, _ceilingQueued);

    /// <summary>Which log this is, and why the first batch under way was not appended the last time that it was tried, or <see langword="null"/>.</summary>
    public string? LogFailure => _health.Failure;

    /// <summary>The first batch under way was tried more than once, for longer than it takes to repeat an unanswered message: this is more than a hiccup.</summary>
    public bool IsLogOut => _health.IsOut;

    /// <summary>The log stands still, and enough waits for it.</summary>
    private bool IsOverloaded => _waitingBytes + _batch.Length > Options.LogBacklogBytesMax || (IsRow && ((IRowLog)_log).IsFull);

    public void Flush()
    {
        if (!HasWork || HoldsBack()) return;
        _isHeldBack = false;
        _awaiting = 0;

        NoteOldestLive();
        NoteOver();
        if (_full.Count == 0) CloseBatch();
        var batch = _full.Dequeue();
        _waitingBytes -= batch.Bytes.Length;
        RaiseCeiling(batch);
        _engine.Statistics.Appends++;
        _engine.Statistics.AppendBytes += batch.Bytes.Length;
        _sinceOldestLive += batch.Bytes.Length;
        batch.Position = _position + _underWay.Count;
        batch.Id = _engine.NextBatchId();
        batch.SentAt = _engine.Now;
        var append = AppendOnce(batch, _underWay.Count > 0 ? _last : null);
        _underWay.Enqueue(batch);
        _last = batch;
        _gathering?.Began(_engine.Now);
        _appendsTakeTime = !append.IsCompletedSuccessfully;
        if (!_appendsTakeTime) Answered(batch, append.Result);
        else _ = AppendUntilAnswered(batch, append);
    }

    /// <summary>
    /// Ahead of need, so that transactions wait for a ceiling only after the log has been idle. With the batch that goes out, although that may have been full before: in the next one, who waits for the ceiling would wait for an append that
    /// nobody asks for.
    /// </summary>
    private void RaiseCeiling(LogBatch batch)
    {
        var ahead = Options.CeilingAheadMicroseconds << HybridClock.LogicalBits;
        if (!NeedsCeiling && _engine.Clock.Physical + (ahead / 2) <= Math.Max(Ceiling, _ceilingQueued)) return;
        var ceiling = Math.Max(_ceilingWanted, _engine.Clock.Physical) + ahead;
        _ceilingQueued = ceiling;
        LogRecords.WriteCeiling(batch.Bytes, ceiling);
        batch.Actions.Add(new DurableAction(LogRecordKind.Ceiling, Timestamp: ceiling));
    }

    /// <summary>It comes back to it when the time is over.</summary>
    private bool HoldsBack()
    {
        if (_gathering is not { } gathering || _underWay.Count > 0 || _full.Count > 0 || NeedsCeiling || !gathering.Holds(_engine.Now, _awaiting)) return false;
        _isHeldBack = true;
        _engine.Host.Schedule(gathering.HeldUntil - _engine.Now, () =>
        {
            _isHeldBack = false;
            if (!IsStopped) RequestFlush();
        });
        return true;
    }

    private void CloseBatch()
    {
        _full.Enqueue(_filling);
        _fillingNumber = (_fillingNumber + 1) & int.MaxValue;
        _waitingBytes += _filling.Bytes.Length;
        _filling = _spareBatches.TryPop(out var spare) ? spare : new LogBatch(_engine.Names, IsRow ? RowBatchBytes : LogBatchBytes);
    }

    /// <summary>L1: while the batch before it is under way, a batch is appended behind that one, and behind no rival's in its place.</summary>
    private ValueTask<AppendResult> AppendOnce(LogBatch batch, LogBatch? behind = null)
    {
        try
        {
            return behind is null || _engine.Breaks == ProtocolBreaks.BehindAnybody
                ? _log.AppendAsync(batch.Position, batch.Id, batch.Bytes.WrittenMemory, _stopping.Token)
                : _log.AppendBehindAsync(behind.Id, batch.Position, batch.Id, batch.Bytes.WrittenMemory, _stopping.Token);
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<AppendResult>(exception);
        }
    }

    /// <summary>
    /// L3: until the same batch is found at the same position, or another is, nothing in it is decided either way. What is behind a batch that failed has failed with it, or is there with it; it is tried again in its turn.
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
                _engine.Fail(exception);
                return;
            }
            catch (LogUnusableException exception) when (!IsStopped)
            {
                // Nothing in this batch is decided either way; the next owner finds out, once the log can be used again.
                _engine.Log.LogUnusable(exception, Name);
                _engine.Depose(this);
                return;
            }
            catch (Exception) when (!IsStopped && batch != _underWay.Peek())
            {
                batch.IsPutOff = true;
                return;
            }
            catch (Exception exception) when (!IsStopped)
            {
                if (_health.Failed(exception, _position)) GiveUpOnLog();
                if (_engine.Breaks == ProtocolBreaks.ErrMeansNotWritten)
                {
                    await TakeErrorForNotWritten();
                    return;
                }

                await _engine.Delay(_health.Pause);

                // An engine that stops has no pauses. Of a log that fails at once this would be asked for ever, on the turn.
                if (IsStopped || _engine.IsStopped) return;
                append = AppendOnce(batch);
            }
            catch (Exception) when (IsStopped)
            {
                return;
            }
        }
    }

    /// <summary>
    /// Nobody can say when the log takes an append again, so nobody waits for that who has not prepared: held prepares are refused, and
    /// readers of snapshots hear of it.
    /// </summary>
    private void GiveUpOnLog()
    {
        foreach (var branch in _branches.Values.ToArray())
        {
            if (branch.IsUndecided) _engine.DoomWhoAwaitsDecision(branch.Transaction, this);
        }

        ReleaseHeldForCeiling();
        RequestFlush();
    }

    private bool IsStopped => _stopping.IsCancellationRequested;

    /// <summary>Batches count in the order of their positions, in whichever order the answers come.</summary>
    private void Answered(LogBatch answered, AppendResult result)
    {
        answered.Answer = result;
        while (!IsStopped && _underWay.TryPeek(out var first))
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
        _gathering?.Ended(_engine.Now);
        if (result == AppendResult.Conflict)
        {
            _engine.LoseToRival(this);
            return;
        }

        _position++;
        var took = Math.Max(0, _engine.Now - batch.SentAt);
        _engine.Statistics.AppendMicroseconds += took;
        if (_engine.Metrics.TimesAppends) _engine.Metrics.Appended(took, batch.Bytes.Length, IsRow);
        Fenced();
        _tailBytes += batch.Bytes.Length;
        var actions = batch.Actions;
        for (var i = 0; i < actions.Count; i++) OnDurable(actions[i]);
        if (batch.Answers is { } answers)
        {
            foreach (var (question, said) in answers) Answer(question, said);
        }

        batch.Clear();
        if (_spareBatches.Count < _underWayMax) _spareBatches.Push(batch);
        ConsiderCheckpoint();
        RequestFlush();
    }

    private void OnDurable(in DurableAction action)
    {
        switch (action.Kind)
        {
            case LogRecordKind.Ceiling:
                Ceiling = Math.Max(Ceiling, action.Timestamp);
                ReleaseHeldForCeiling();
                break;
            case LogRecordKind.Prepare:
                if (action.Branch is { State: BranchState.Ordered } branch && branch.Round == action.Round)
                {
                    branch.State = BranchState.Logged;
                    SendVote(branch);
                }

                break;
            case LogRecordKind.Commit:
                Recorded(action.Decision!);
                break;
            case LogRecordKind.Resolved:
                Resolved(action.Decision!, action.Committed);
                break;
            case LogRecordKind.Outcome:
                OutcomeDurable(action);
                break;
            case LogRecordKind.Forget:
                Forget(action.Decision!);
                break;
            case LogRecordKind.OldestLive:
                _ = CheckpointAsync(_position);
                break;
        }
    }

    private void RequestCeiling(long timestamp)
    {
        _ceilingWanted = Math.Max(_ceilingWanted, timestamp);
        RequestFlush();
    }

    private void ReleaseHeldForCeiling()
    {
        if (_heldForCeiling is { } held)
        {
            _heldForCeiling = null;
            foreach (var prepare in held) _engine.SendLocal(prepare);
        }

        ReleaseSnapshotReads();
    }

    private void Queue(in DurableAction action)
    {
        _filling.Actions.Add(action);
        _filling.IsAwaited = true;
        _awaiting++;
        _gathering?.Arrived(_engine.Now);
        if (_batch.Length >= Options.BatchBytesMax || _filling.Actions.Count >= Options.BatchRecordsMax) CloseBatch();
        RequestFlush();
    }

    /// <summary>
    /// What nobody waits for, for the next append that is needed anyway, within a bound. An append of its own would be in the way of the next prepare, which would have to wait until it has ended; and a store of a row carries
    /// that row's records alone, so where there is little to do each of them would take one of its own.
    /// </summary>
    private void QueueLazily(in DurableAction action)
    {
        if (LingerMicroseconds == 0 || _filling.IsAwaited || IsPressed)
        {
            Queue(action);
            return;
        }

        if (_filling.Actions.Count == 0) _lingeringSince = _engine.Now;
        _filling.Actions.Add(action);
        if (_batch.Length >= Options.BatchBytesMax || _filling.Actions.Count >= Options.BatchRecordsMax) Hurry();
        Stir();
    }

    /// <summary>What lingers goes out now: nobody is to wait for it any longer.</summary>
    public void Hurry()
    {
        if (RestlessAt >= 0) _engine.AwaitTick(this);
        if (_filling.Actions.Count == 0 || _filling.IsAwaited) return;
        _filling.IsAwaited = true;
        RequestFlush();
    }

    /// <summary>Commit records take so much of the row that they should go soon.</summary>
    private bool IsPressed => IsRow && ((IRowLog)_log).IsPressed;

    private bool Lingers => _filling.Actions.Count > 0 && !_filling.IsAwaited;

    private long LingerMicroseconds => IsRow ? Options.RowLingerMicroseconds : _appendsTakeTime ? Options.LogLingerMicroseconds : 0;

    /// <summary>The error of L3, for the test that must notice it.</summary>
    private async Task TakeErrorForNotWritten()
    {
        var batch = _underWay.Dequeue();
        _position = await _log.GetEndAsync(_stopping.Token);
        foreach (var action in batch.Actions)
        {
            if (action.Kind == LogRecordKind.Prepare) ApplyAbort(action.Branch!);
            else if (action.Kind == LogRecordKind.Commit)
            {
                action.Decision!.State = DecisionState.Collecting;
                DecideAbort(action.Decision);
            }
        }

        RequestFlush();
    }
}
