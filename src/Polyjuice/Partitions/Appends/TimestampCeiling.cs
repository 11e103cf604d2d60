using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// L4: nothing is ordered or read above a timestamp that the log promises, and a successor orders writes only above
/// what its predecessor may have promised. Prepares and snapshots that are above the ceiling wait here until it is
/// raised, and prepares that are below a predecessor's until the clock has passed that. On its engine's turn.
/// </summary>
internal sealed class TimestampCeiling(OwnerParts shared, Ownership ownership)
{
    private long _wanted;
    private long _queued;
    private List<Message>? _held;
    private List<Message>? _heldForFloor;
    private List<TaskCompletionSource>? _readers;

    /// <summary>What the log promises.</summary>
    public long Durable { get; private set; }

    /// <summary>What a predecessor may have promised.</summary>
    public long Floor { get; private set; }

    /// <summary>Somebody waits for a higher one than is on its way.</summary>
    public bool IsWanted => _wanted > Math.Max(Durable, _queued);

    /// <summary>The least that is worth a record: for who needs an append, whatever is in it.</summary>
    public long Next => Math.Max(Durable, _queued) + 1;

    /// <summary>A new owner's fence promises it.</summary>
    public void Begin(long ceiling) => Durable = ceiling;

    /// <summary>What the log says of predecessors.</summary>
    /// <param name="ceiling">Their last ceiling.</param>
    /// <param name="timestamp">The last timestamp of any prepare.</param>
    public void Recover(long ceiling, long timestamp)
    {
        Floor = shared.Breaks == ProtocolBreaks.NoCeiling ? timestamp : Math.Max(ceiling, timestamp);
        if (shared.Breaks == ProtocolBreaks.NoCeiling) Durable = long.MaxValue >> 1;
    }

    /// <summary>Asks for one that is at least this.</summary>
    public void Request(long timestamp)
    {
        _wanted = Math.Max(_wanted, timestamp);
        ownership.RequestFlush();
    }

    /// <summary>Asks for an append, which finds out who owns the log (L1).</summary>
    public void RequestNext() => Request(Next);

    /// <summary>Keeps a prepare until its timestamp is below the ceiling.</summary>
    public void Hold(in PrepareMessage prepare)
    {
        (_held ??= []).Add(prepare);
        Request(prepare.Timestamp);
    }

    /// <summary>
    /// Keeps a prepare that writes until this owner's clock has passed what its predecessor may have promised.
    /// </summary>
    /// <returns>Whether it has to wait for that.</returns>
    public bool HoldsForFloor(in PrepareMessage prepare)
    {
        if (shared.Clock.MicrosecondsUntil(Floor) is not (> 0 and var remaining)
            || shared.Breaks == ProtocolBreaks.CommitWait)
        {
            return false;
        }
        (_heldForFloor ??= []).Add(prepare);
        if (_heldForFloor.Count == 1) shared.Host.Schedule(remaining, ReleaseHeldForFloor);
        return true;
    }

    /// <summary>
    /// Ahead of need, so that transactions wait for a ceiling only after the log has been idle. With the batch that
    /// goes out, although that may have been full before: in the next one, who waits for the ceiling would wait for an
    /// append that nobody asks for.
    /// </summary>
    public void Raise(LogBatch batch)
    {
        var ahead = shared.Options.CeilingAheadMicroseconds << HybridClock.LogicalBits;
        if (!IsWanted && shared.Clock.Physical + (ahead / 2) <= Math.Max(Durable, _queued)) return;
        var ceiling = Math.Max(_wanted, shared.Clock.Physical) + ahead;
        _queued = ceiling;
        LogRecords.WriteCeiling(batch.Bytes, ceiling);
        batch.Actions.Add(new DurableAction(LogRecordKind.Ceiling, Timestamp: ceiling));
    }

    /// <summary>It is in the log.</summary>
    public void Raised(long ceiling)
    {
        Durable = Math.Max(Durable, ceiling);
        Release();
    }

    /// <summary>Whoever waits looks again.</summary>
    public void Release()
    {
        if (_held is { } held)
        {
            _held = null;
            foreach (var prepare in held) shared.Mail.SendLocal(prepare);
        }

        ReleaseReaders();
    }

    /// <summary>Completes when it has been raised, or never will be: who comes back looks again.</summary>
    public Task WhenReleased(long timestamp)
    {
        Request(timestamp);
        var raised = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        (_readers ??= []).Add(raised);
        return raised.Task;
    }

    /// <summary>Readers of snapshots look again.</summary>
    public void ReleaseReaders()
    {
        if (_readers is not { } waiting) return;
        _readers = null;
        foreach (var one in waiting) one.TrySetResult();
    }

    /// <summary>Prepares wait no longer: their agents ask who comes next.</summary>
    public void DropPrepares() => _held = _heldForFloor = null;

    private void ReleaseHeldForFloor()
    {
        if (_heldForFloor is not { } held || !ownership.IsActive) return;
        _heldForFloor = null;
        foreach (var prepare in held) shared.Mail.SendLocal(prepare);
    }
}
