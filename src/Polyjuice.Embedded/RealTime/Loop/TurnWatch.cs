using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded.RealTime;

/// <summary>
/// Watches how long a loop's turns take, and who is to blame. Begun and ended by the loop's thread; asked by any. Costs a look at the clock and two at a counter per turn.
/// </summary>
internal sealed class TurnWatch(BackgroundWork background)
{
    private LoopPauses _pauses = new();
    private long _begun;
    private long _checkpointBegun;
    private int _collections = GC.CollectionCount(0);
    private TimeSpan _collected = GC.GetTotalPauseDuration();
    private TimeSpan _collectedBefore;
    private TimeSpan _collectedAtCheckpoint;

    /// <summary>A turn begins.</summary>
    /// <param name="now">The clock.</param>
    /// <param name="ready">When the loop became ready for it, on the clock; 0 if it did not have to wait.</param>
    public void Begin(long now, long ready)
    {
        _begun = ready != 0 ? ready : now;

        // What was collected while the loop was idle concerns nobody, but while it waited for its turn; more than that is not counted in the end.
        var collected = TakeCollected();
        _collectedBefore = ready != 0 ? collected : TimeSpan.Zero;
    }

    /// <summary>The turn has ended.</summary>
    public void End(long now)
    {
        var took = Span(now - _begun);
        var collected = TakeCollected() + _collectedBefore;
        var known = Volatile.Read(ref _pauses);
        if (took <= known.LongestTurn && collected <= known.LongestCollection && took < LoopPauses.Threshold) return;
        collected = collected < took ? collected : took;
        var next = known with { LongestTurn = LoopPauses.Longer(took, known.LongestTurn), LongestCollection = LoopPauses.Longer(collected, known.LongestCollection) };
        if (took >= LoopPauses.Threshold)
        {
            if (collected * 2 >= took) next = next with { Collections = next.Collections.And(took) };
            else if (background.RanSince(_begun)) next = next with { BesideCheckpoints = next.BesideCheckpoints.And(took) };
            else next = next with { Others = next.Others.And(took) };
        }

        // If somebody took the figures just now, these are of before and after.
        Interlocked.CompareExchange(ref _pauses, next, known);
    }

    /// <summary>The making of a checkpoint begins, or ends, to run in this turn.</summary>
    public void Checkpoint(long now, bool begins)
    {
        if (begins)
        {
            _checkpointBegun = now;
            _collectedAtCheckpoint = GC.GetTotalPauseDuration();
            return;
        }

        // A collection that came just then is counted as such.
        var took = Span(now - _checkpointBegun) - (GC.GetTotalPauseDuration() - _collectedAtCheckpoint);
        var known = Volatile.Read(ref _pauses);
        if (took > known.LongestCheckpointTurn) Interlocked.CompareExchange(ref _pauses, known with { LongestCheckpointTurn = took }, known);
    }

    /// <summary>What there was since this was called the last time. Any thread.</summary>
    public LoopPauses Take() => Interlocked.Exchange(ref _pauses, new LoopPauses());

    private TimeSpan TakeCollected()
    {
        var collections = GC.CollectionCount(0);
        if (collections == _collections) return TimeSpan.Zero;
        _collections = collections;
        var total = GC.GetTotalPauseDuration();
        var since = total - _collected;
        _collected = total;
        return since;
    }

    private static TimeSpan Span(long microseconds) => TimeSpan.FromTicks(microseconds * TimeSpan.TicksPerMicrosecond);
}
