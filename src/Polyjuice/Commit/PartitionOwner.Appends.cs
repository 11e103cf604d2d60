using Polyjuice.Diagnostics;
using Microsoft.Extensions.Logging;
using Polyjuice.Execution;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Commit;

// The log: one append in flight, the next batch fills meanwhile (group commit across transactions). Rules L1 to L4.
internal sealed partial class PartitionOwner
{
    private ByteWriter _batch = new();
    private ByteWriter _appending = new();
    private List<DurableAction> _actions = [];
    private List<DurableAction> _appendingActions = [];
    private readonly CancellationTokenSource _stopping = new();
    private long _position;
    private bool _isAppending;
    private long _ceilingWanted;
    private long _ceilingQueued;
    private long _floor;

    /// <summary>The durable timestamp ceiling (L4).</summary>
    public long Ceiling { get; private set; }

    public bool HasWork => IsActive && !_isAppending && (_actions.Count > 0 || NeedsCeiling);

    private bool NeedsCeiling => _ceilingWanted > Math.Max(Ceiling, _ceilingQueued);

    public void Flush()
    {
        if (!HasWork) return;

        // Ahead of need, so that transactions wait for a ceiling only after the log has been idle.
        var ahead = Options.CeilingAheadMicroseconds << HybridClock.LogicalBits;
        if (NeedsCeiling || _engine.Clock.Physical + (ahead / 2) > Math.Max(Ceiling, _ceilingQueued))
        {
            var ceiling = Math.Max(_ceilingWanted, _engine.Clock.Physical) + ahead;
            _ceilingQueued = ceiling;
            LogRecords.WriteCeiling(_batch, ceiling);
            _actions.Add(new DurableAction(LogRecordKind.Ceiling, null, null, 0, ceiling, false, 0));
        }

        (_batch, _appending) = (_appending, _batch);
        (_actions, _appendingActions) = (_appendingActions, _actions);
        _isAppending = true;
        _engine.Statistics.Appends++;
        _engine.Statistics.AppendBytes += _appending.Length;
        var batchId = _engine.NextBatchId();
        var append = AppendOnce(_position, batchId, _appending.WrittenMemory);
        if (append.IsCompletedSuccessfully) Appended(append.Result);
        else _ = AppendUntilAnswered(append, batchId);
    }

    private ValueTask<AppendResult> AppendOnce(long position, BatchId batchId, ReadOnlyMemory<byte> batch)
    {
        try
        {
            return _log.AppendAsync(position, batchId, batch, _stopping.Token);
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<AppendResult>(exception);
        }
    }

    /// <summary>L3: until the same batch is found at the same position, or another is, nothing in it is decided either way.</summary>
    private async Task AppendUntilAnswered(ValueTask<AppendResult> append, BatchId batchId)
    {
        for (var failures = 1; ; failures++)
        {
            try
            {
                Appended(await append);
                return;
            }
            catch (InvariantException exception)
            {
                _engine.Fail(exception);
                return;
            }
            catch (Exception exception) when (!IsStopped)
            {
                _engine.Log.AppendFailed(exception, Partition, _position, failures);
                if (_engine.Breaks.HasFlag(ProtocolBreaks.ErrMeansNotWritten))
                {
                    await TakeErrorForNotWritten();
                    return;
                }

                await _engine.Delay(Math.Min(1_000L << Math.Min(failures, 8), Options.ResendMicroseconds));
                if (IsStopped) return;
                append = AppendOnce(_position, batchId, _appending.WrittenMemory);
            }
            catch (Exception) when (IsStopped)
            {
                return;
            }
        }
    }

    private bool IsStopped => _stopping.IsCancellationRequested;

    private void Appended(AppendResult result)
    {
        if (IsStopped) return;
        _isAppending = false;
        if (result == AppendResult.Conflict)
        {
            _engine.Log.Deposed(Partition, Epoch);
            _engine.Depose(this);
            return;
        }

        _position++;
        var actions = _appendingActions;
        for (var i = 0; i < actions.Count; i++) OnDurable(actions[i]);
        actions.Clear();
        _appending.Clear();
        _engine.RequestFlush();
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
                _decisions.Remove(action.Decision!.Id);
                break;
        }
    }

    private void RequestCeiling(long timestamp)
    {
        _ceilingWanted = Math.Max(_ceilingWanted, timestamp);
        _engine.RequestFlush();
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
        _actions.Add(action);
        _engine.RequestFlush();
    }

    /// <summary>The error of L3, for the test that must notice it.</summary>
    private async Task TakeErrorForNotWritten()
    {
        _isAppending = false;
        _position = await _log.GetEndAsync(_stopping.Token);
        foreach (var action in _appendingActions)
        {
            if (action.Kind == LogRecordKind.Prepare) ApplyAbort(action.Branch!);
            else if (action.Kind == LogRecordKind.Commit)
            {
                action.Decision!.State = DecisionState.Collecting;
                DecideAbort(action.Decision);
            }
        }

        _appendingActions.Clear();
        _appending.Clear();
        _engine.RequestFlush();
    }
}
