using Microsoft.Extensions.Logging;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Waits;

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
/// Who waits for whom at this node. A cycle inside the node is found at the moment it closes; one across nodes by
/// <see cref="Probes"/>. The youngest by first attempt loses, so that a transaction that keeps losing grows old and
/// then wins.
/// </summary>
internal sealed class WaitGraph
{
    /// <summary>
    /// Housekeeping that comes so much later than it should was kept
    /// from coming: the whole process stalled, or its clock was set.
    /// </summary>
    private const long StallMicroseconds = 500_000;

    private readonly EngineContext _context;
    private readonly Timers _timers;
    private readonly SiteRegistry _registry;
    private readonly SiteCounts _sites;
    private readonly IWaitEvents _events;
    private readonly CycleSearch _cycles;
    private readonly DueWheel<Wait> _lasting;

    private long _tickedAt;
    private long _resumedAt;
    private Wait? _earliest;
    private Wait? _latest;

    public WaitGraph(
        EngineContext context, Mail mail, Timers timers, SiteRegistry registry, SiteCounts sites, IWaitEvents events)
    {
        _context = context;
        _timers = timers;
        _registry = registry;
        _sites = sites;
        _events = events;
        _cycles = new(context.Statistics);
        _lasting = new(context.Options.TickMicroseconds, Look);
        Probes = new(context, mail, timers, this, events);
        Signs = new(context, mail, events);
    }

    public WaitProbes Probes { get; }

    public SignsOfLife Signs { get; }

    /// <summary>How often housekeeping has looked at a wait.</summary>
    public long Looks => _lasting.Looks;

    public int Count { get; private set; }

    /// <summary>
    /// Whether anybody waits here for anything but a reservation, or who has handed
    /// one on. Those alone close no cycle that lasts: in one order everywhere there
    /// is none, and where messages have overtaken each other the younger gives way.
    /// </summary>
    public bool HasUnordered => Unordered > 0;

    /// <summary>Waits for anything but a reservation, or who has handed one on.</summary>
    public int Unordered => Count - _ordered;

    private int _ordered;

    public Wait Register(
        LocalTransaction waiter, LocalTransaction target, int level, int siteId, Participant? queue = null,
        AwaitedReservation? reservation = null)
    {
        var wait = new Wait(waiter, target, level, _context.Now, siteId, queue, reservation) { Earlier = _latest };
        if (_latest is null) _earliest = wait;
        else _latest.Later = wait;
        _latest = wait;
        Count++;
        if (wait.IsOrdered) _ordered++;
        reservation?.WaitBegins();
        var own = waiter.Edges ??= new();
        own.Waits.Add(wait);
        own.ChangedAt = wait.StartedAt;
        var node = target.Edges ??= new();
        node.Waiters.Add(wait);
        if (node.Waiters.Count == 1 && !WaitWalk.WaitsHereOnly(target)) Probes.Watch(target, wait.StartedAt);
        _context.Statistics.Waits++;
        _timers.EnsureTicking();
        return wait;
    }

    public void Remove(Wait wait)
    {
        if (!Leave(wait)) return;
        wait.Target.Edges!.Waiters.Remove(wait);
    }

    /// <summary>Waits until the target has got that far or is gone. False when the waiter was doomed instead.</summary>
    public async ValueTask<bool> WaitAsync(
        LocalTransaction waiter, LocalTransaction target, int level, int siteId, Participant? queue = null)
    {
        if (waiter.IsDoomed) return false;
        if (Wait.IsSatisfied(target, level)) return true;
        var wait = Register(waiter, target, level, siteId, queue);
        _sites.Count(siteId, SiteAction.Wait);
        if (BreakCycle(wait) == CycleBreak.SelfDoomed)
        {
            Remove(wait);
            CountLost(waiter, siteId);
            return false;
        }

        if (!wait.IsDone) _events.SubscribeTo(target, level);
        var outcome = await _events.EndOf(wait);
        _events.Waited(wait, outcome == WaitOutcome.Satisfied);
        if (outcome != WaitOutcome.Satisfied) CountLost(waiter, siteId);
        return outcome == WaitOutcome.Satisfied && !waiter.IsDoomed;
    }

    /// <summary>
    /// A transaction has got further: ends the waits that this satisfies, in the order in which they began.
    /// </summary>
    public void Notify(LocalTransaction target)
    {
        if (target.Edges is not { Waiters: { Count: > 0 } waiters }) return;
        var kept = _context.Breaks == ProtocolBreaks.LostWakeUp ? 1 : 0;
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

    /// <summary>
    /// Finds the cycle that a new wait closes at this node, if it does, and dooms the youngest in it.
    /// </summary>
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
        if (now - _tickedAt >= StallMicroseconds + (2 * _context.Options.TickMicroseconds)) _resumedAt = now;
        _tickedAt = now;
        _events.AskToGiveWay(now);
        Signs.Begin();
        _lasting.Tick(now);
        while (_earliest is { } wait && now - wait.StartedAt >= _context.Options.ResendMicroseconds)
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
            _context.Statistics.WaitsEndedByDeadline++;
            if (_context.Log.IsEnabled(LogLevel.Warning))
                _context.Log.WaitDeadline(
                    wait.Waiter.ToString(), WaitSites.NameOf(_registry, wait.SiteId), wait.Target.Describe());
            Lose(wait.Waiter, AbortReason.WaitDeadline, wait);

            // Others have got on by that.
            Signs.Begin();
            return DueWheel<Wait>.Never;
        }

        if (now - wait.AskedAt >= _context.Options.ResendMicroseconds)
        {
            wait.AskedAt = now;
            _events.SubscribeTo(wait.Target, wait.Level, again: true);
        }

        if (wait.IsDone) return DueWheel<Wait>.Never;
        return Math.Min(deadline, wait.AskedAt + _context.Options.ResendMicroseconds);
    }

    /// <summary>
    /// Who waits for somebody who gets on waits not in vain, however long that takes. Of a queue that stands still the
    /// first loses, and then it moves; unless nobody is the first, because it is a circle.
    /// </summary>
    private long DeadlineOf(Wait wait, long now)
    {
        var most = _context.Options.WaitDeadlineMicroseconds;
        var since = Math.Max(wait.StartedAt, _resumedAt);
        if (now - since < most / 2) return since + most;
        since = Math.Max(since, Signs.Of(wait.Target));
        if (now - since >= most / 2) Signs.Ask(wait.Target);
        return since + (wait.Target.Waits is { Count: > 0 } ? 2 * most : most);
    }

    /// <summary>The transaction does not wait any longer: it aborts, or its prepare is refused.</summary>
    private void Lose(LocalTransaction waiter, AbortReason reason, Wait wait)
    {
        _events.Lost(wait, waiter, reason);
        Cancel(waiter);
    }

    private void CountLost(LocalTransaction waiter, int siteId)
    {
        if (waiter.Doom?.Reason == AbortReason.Deadlock) _sites.Count(siteId, SiteAction.WaitDeadlock);
        else if (waiter.Doom?.Reason == AbortReason.WaitDeadline) _sites.Count(siteId, SiteAction.WaitTimeout);
    }

    private void End(Wait wait, WaitOutcome outcome)
    {
        Leave(wait);

        // Who waits for it in turn waited for a member of a queue, and now waits for one that runs, perhaps elsewhere.
        if (outcome == WaitOutcome.Satisfied && wait.Waiter.Edges is { Waiters.Count: > 0 })
            Probes.Watch(wait.Waiter, _context.Now);
        wait.End(outcome);
    }

    /// <summary>Takes a wait out of all lists but its target's. False when it had left already.</summary>
    private bool Leave(Wait wait)
    {
        var waiter = wait.Waiter.Edges!;
        if (!waiter.Waits.Remove(wait)) return false;
        waiter.ChangedAt = _context.Now;
        if (wait.HasLasted) _lasting.Remove(wait);
        else Unlist(wait);
        Count--;
        if (wait.IsOrdered) _ordered--;
        wait.Reservation?.WaitEnds();
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
