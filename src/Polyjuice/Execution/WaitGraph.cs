using Microsoft.Extensions.Logging;
using Polyjuice.Commit;
using Polyjuice.Diagnostics;
using Polyjuice.Diagnostics.Spans;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Execution;

/// <summary>What came of looking for a cycle.</summary>
internal enum CycleBreak
{
    /// <summary>There is none at this node.</summary>
    None,

    /// <summary>Another transaction in it was doomed.</summary>
    OtherDoomed,

    /// <summary>The one that was about to wait was doomed.</summary>
    SelfDoomed,
}

/// <summary>
/// Who waits for whom at this node. A cycle inside the node is found at the moment it closes; one across nodes by <see cref="Probes"/>. The
/// youngest by first attempt loses, so that a transaction that keeps losing grows old and then wins.
/// </summary>
internal sealed class WaitGraph
{
    /// <summary>Housekeeping that comes so much later than it should was kept from coming: the whole process stalled, or its clock was set.</summary>
    private const long StallMicroseconds = 500_000;

    private readonly TransactionEngine _engine;
    private readonly CycleSearch _cycles;
    private readonly DueWheel<Wait> _lasting;

    /// <summary>Queues in which somebody waits for a reservation.</summary>
    private readonly List<ReservationQueue> _waitedFor = [];
    private readonly List<ReservationRequest> _standing = [];
    private long _tickedAt;
    private long _resumedAt;
    private Wait? _earliest;
    private Wait? _latest;

    public WaitGraph(TransactionEngine engine)
    {
        _engine = engine;
        _cycles = new(engine.Statistics);
        _lasting = new(engine.Options.TickMicroseconds, Look);
        Probes = new(engine);
        Signs = new(engine);
    }

    public WaitProbes Probes { get; }

    public SignsOfLife Signs { get; }

    /// <summary>How often housekeeping has looked at a wait.</summary>
    public long Looks => _lasting.Looks;

    public int Count { get; private set; }

    /// <summary>Whether anybody waits here for anything but a reservation, or who has handed one on. Those alone close no cycle that lasts: in one order everywhere there is none, and where messages have overtaken each other the younger gives way.</summary>
    public bool HasUnordered => Unordered > 0;

    /// <summary>Waits for anything but a reservation, or who has handed one on.</summary>
    public int Unordered => Count - _ordered;

    private int _ordered;

    public Wait Register(LocalTransaction waiter, LocalTransaction target, int level, int siteId, Participant? queue = null, ReservationRequest? reservation = null)
    {
        var wait = new Wait(waiter, target, level, _engine.Now, siteId, queue, reservation) { Earlier = _latest };
        if (_latest is null) _earliest = wait;
        else _latest.Later = wait;
        _latest = wait;
        Count++;
        if (wait.IsOrdered) _ordered++;
        if (reservation is not null && reservation.Queue.Waiting++ == 0)
        {
            reservation.Queue.WaitedForAt = _waitedFor.Count;
            _waitedFor.Add(reservation.Queue);
        }

        (waiter.Edges ??= new()).Waits.Add(wait);
        waiter.Edges.ChangedAt = wait.StartedAt;
        var node = target.Edges ??= new();
        node.Waiters.Add(wait);
        if (node.Waiters.Count == 1 && !WaitWalk.WaitsHereOnly(target)) Probes.Watch(target, wait.StartedAt);
        _engine.Statistics.Waits++;
        _engine.Timers.EnsureTicking();
        return wait;
    }

    public void Remove(Wait wait)
    {
        if (!Leave(wait)) return;
        wait.Target.Edges!.Waiters.Remove(wait);
    }

    /// <summary>Waits until the target has got that far or is gone. False when the waiter was doomed instead.</summary>
    public async ValueTask<bool> WaitAsync(LocalTransaction waiter, LocalTransaction target, int level, int siteId, Participant? queue = null)
    {
        if (waiter.IsDoomed) return false;
        if (Wait.IsSatisfied(target, level)) return true;
        var wait = Register(waiter, target, level, siteId, queue);
        _engine.Sites.Count(siteId, SiteAction.Wait);
        if (BreakCycle(wait) == CycleBreak.SelfDoomed)
        {
            Remove(wait);
            CountLost(waiter, siteId);
            return false;
        }

        if (!wait.IsDone) _engine.Progress.SubscribeTo(target, level);
        var outcome = await (SpanSource.IsOn ? _engine.Spans.Await(wait) : wait.Completion);
        if (_engine.Metrics.TimesWaits) _engine.Metrics.Waited(_engine.Now - wait.StartedAt, waiter.Type, _engine.Tables.SiteName(siteId), target.Type, outcome == WaitOutcome.Satisfied);
        if (outcome != WaitOutcome.Satisfied) CountLost(waiter, siteId);
        return outcome == WaitOutcome.Satisfied && !waiter.IsDoomed;
    }

    /// <summary>A transaction has got further: ends the waits that this satisfies, in the order in which they began.</summary>
    public void Notify(LocalTransaction target)
    {
        if (target.Edges is not { Waiters: { Count: > 0 } waiters }) return;
        var kept = _engine.Breaks == ProtocolBreaks.LostWakeUp ? 1 : 0;
        for (var i = kept; i < waiters.Count; i++)
        {
            var wait = waiters[i];
            if (Wait.IsSatisfied(target, wait.Level)) End(wait, WaitOutcome.Satisfied);
            else waiters[kept++] = wait;
        }

        waiters.RemoveRange(kept, waiters.Count - kept);
    }

    /// <summary>What was waited for has happened, and no transaction says so.</summary>
    public void Satisfy(Wait wait)
    {
        if (wait.IsDone) return;
        wait.Target.Edges!.Waiters.Remove(wait);
        End(wait, WaitOutcome.Satisfied);
    }

    /// <summary>A doomed transaction waits for nobody.</summary>
    public void Cancel(LocalTransaction waiter)
    {
        if (waiter.Edges is not { Waits: { Count: > 0 } waits }) return;
        while (waits.Count > 0)
        {
            var wait = waits[^1];
            wait.Target.Edges!.Waiters.Remove(wait);
            End(wait, WaitOutcome.Doomed);
        }
    }

    /// <summary>Finds the cycle that a new wait closes at this node, if it does, and dooms the youngest in it.</summary>
    public CycleBreak BreakCycle(Wait wait)
    {
        var result = CycleBreak.None;
        while (!wait.IsDone && _cycles.FindYoungest(wait) is { } victim)
        {
            if (victim == wait.Waiter && victim.IsDoomed) return CycleBreak.SelfDoomed;
            Lose(victim, AbortReason.Deadlock, wait);
            if (victim == wait.Waiter) return CycleBreak.SelfDoomed;
            result = CycleBreak.OtherDoomed;
        }

        return result;
    }

    /// <summary>A probe has found this transaction to be the youngest in a cycle.</summary>
    public void OnVictim(LocalTransaction victim)
    {
        if (victim.Edges is { Waits: [var wait, ..] }) Lose(victim, AbortReason.Deadlock, wait);
    }

    /// <summary>
    /// Repeats subscriptions that may have been lost, and enforces the deadline. Looks only at waits that have
    /// lasted, and only when something is due.
    /// </summary>
    public void Tick(long now)
    {
        // What the node itself has slept through is no sign that a wait never ends: what ends it may only come now.
        if (now - _tickedAt >= StallMicroseconds + (2 * _engine.Options.TickMicroseconds)) _resumedAt = now;
        _tickedAt = now;
        AskToGiveWay(now);
        Signs.Begin();
        _lasting.Tick(now);
        while (_earliest is { } wait && now - wait.StartedAt >= _engine.Options.ResendMicroseconds)
        {
            Unlist(wait);
            wait.HasLasted = true;
            if (Look(wait, now) is var due and not DueWheel<Wait>.Never) _lasting.Add(wait, due);
        }
    }

    private long Look(Wait wait, long now)
    {
        // How long an attempt waits for its reservations is its agent's business, and for a turn, the host's.
        var isBounded = !wait.IsForReservation && !wait.IsForTurn;
        var deadline = isBounded ? DeadlineOf(wait, now) : DueWheel<Wait>.Never;
        if (now >= deadline)
        {
            _engine.Statistics.WaitsEndedByDeadline++;
            if (_engine.Log.IsEnabled(LogLevel.Warning))
                _engine.Log.WaitDeadline(wait.Waiter.ToString(), _engine.Tables.SiteName(wait.SiteId), wait.Target.Describe());
            Lose(wait.Waiter, AbortReason.WaitDeadline, wait);

            // Others have got on by that.
            Signs.Begin();
            return DueWheel<Wait>.Never;
        }

        if (now - wait.AskedAt >= _engine.Options.ResendMicroseconds)
        {
            wait.AskedAt = now;
            _engine.Progress.SubscribeTo(wait.Target, wait.Level, again: true);
        }

        if (wait.IsDone) return DueWheel<Wait>.Never;
        return Math.Min(deadline, wait.AskedAt + _engine.Options.ResendMicroseconds);
    }

    /// <summary>
    /// Who waits for somebody who gets on waits not in vain, however long that takes. Of a queue that stands still the
    /// first loses, and then it moves; unless nobody is the first, because it is a circle.
    /// </summary>
    private long DeadlineOf(Wait wait, long now)
    {
        var most = _engine.Options.WaitDeadlineMicroseconds;
        var since = Math.Max(wait.StartedAt, _resumedAt);
        if (now - since < most / 2) return since + most;
        since = Math.Max(since, Signs.Of(wait.Target));
        if (now - since >= most / 2) Signs.Ask(wait.Target);
        return since + (wait.Target.Waits is { Count: > 0 } ? 2 * most : most);
    }

    /// <summary>Who has waited for a reservation for some time, while nobody who holds it got on, may wait in a circle.</summary>
    private void AskToGiveWay(long now)
    {
        if (_waitedFor.Count == 0) return;
        var most = now - _engine.Options.TickMicroseconds;
        foreach (var queue in _waitedFor)
        {
            if (queue.HandedAt <= most) queue.AddWaiting(_standing, most);
        }

        // Who is asked may be here, and leave: waits end and begin by that.
        foreach (var request in _standing)
        {
            if (request is { HasLeft: false, IsHeld: false }) _engine.Reservations.GivingWay.Ask(request, byAge: true);
        }

        _standing.Clear();
    }

    /// <summary>The transaction does not wait any longer: it aborts, or its prepare is refused.</summary>
    private void Lose(LocalTransaction waiter, AbortReason reason, Wait wait)
    {
        _engine.Lifecycle.Doom(waiter, reason, null, siteId: wait.SiteId, other: wait.Target);

        // One whose user's code has thrown is doomed already, and waits all the same: for a version to be ordered, to prove what the code had read.
        Lifecycle.RefuseParked(waiter);
        Cancel(waiter);
    }

    private void CountLost(LocalTransaction waiter, int siteId)
    {
        if (waiter.Doom?.Reason == AbortReason.Deadlock) _engine.Sites.Count(siteId, SiteAction.WaitDeadlock);
        else if (waiter.Doom?.Reason == AbortReason.WaitDeadline) _engine.Sites.Count(siteId, SiteAction.WaitTimeout);
    }

    private void End(Wait wait, WaitOutcome outcome)
    {
        Leave(wait);

        // Who waits for it in turn waited for a member of a queue, and now waits for one that runs, perhaps elsewhere.
        if (outcome == WaitOutcome.Satisfied && wait.Waiter.Edges is { Waiters.Count: > 0 }) Probes.Watch(wait.Waiter, _engine.Now);
        wait.End(outcome);
    }

    /// <summary>Takes a wait out of all lists but its target's. False when it had left already.</summary>
    private bool Leave(Wait wait)
    {
        if (!wait.Waiter.Edges!.Waits.Remove(wait)) return false;
        wait.Waiter.Edges.ChangedAt = _engine.Now;
        if (wait.HasLasted) _lasting.Remove(wait);
        else Unlist(wait);
        Count--;
        if (wait.IsOrdered) _ordered--;
        if (wait.Reservation is { Queue: var queue } && --queue.Waiting == 0)
        {
            var moved = _waitedFor[^1];
            _waitedFor[queue.WaitedForAt] = moved;
            moved.WaitedForAt = queue.WaitedForAt;
            _waitedFor.RemoveAt(_waitedFor.Count - 1);
        }

        return true;
    }

    private void Unlist(Wait wait)
    {
        if (wait.Earlier is { } earlier) earlier.Later = wait.Later;
        else _earliest = wait.Later;
        if (wait.Later is { } later) later.Earlier = wait.Earlier;
        else _latest = wait.Earlier;
        (wait.Earlier, wait.Later) = (null, null);
    }
}
