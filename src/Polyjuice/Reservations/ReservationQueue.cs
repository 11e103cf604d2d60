using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Reservations;

/// <summary>
/// Those who have reserved a participant, or wait to, in the order in which they began to reserve, here or at another
/// silo, shared and exclusive; and those who came without a reservation and conflict with them. It exists while it is
/// not empty. Everything here is for speed: what is in it, or lost from it, has no part in what may commit (Q1, Q5).
/// </summary>
/// <remarks>
/// As many may be in it as transactions run, and all of them pass it at a hot grain while they hold that up. So nobody
/// looks through all of it who comes, accesses, hands on or leaves in turn: a transaction's own requests are found by
/// way of the transaction (<see cref="TransactionReservations"/>), each knows how many wait for it, and those that have
/// been handed on are ahead of all that have not.
/// </remarks>
internal sealed class ReservationQueue(ReservationQueues queues, Participant participant) : ReservedState
{
    private ReservationRequest? _first;
    private ReservationRequest? _last;

    /// <summary>Where its state is.</summary>
    public VersionedPartition Partition => participant.Partition;

    public bool IsEmpty => _first is null;

    /// <summary>
    /// When somebody left it last, on the host's clock, in microseconds:
    /// who waits longer than that waits for one that does not get on.
    /// </summary>
    public long MovedAt { get; private set; } = queues.Now;

    /// <summary>
    /// When one that held it left it last, handed it on or gave way, on the host's clock, in microseconds.
    /// </summary>
    public long HandedAt { get; private set; } = queues.Now;

    /// <summary>
    /// How many wait in it, as edges of the wait graph; <see cref="ReservationQueues"/> keeps it, and its place among
    /// the queues where somebody does.
    /// </summary>
    public int Waiting;
    public int WaitedForAt;

    /// <summary>Requests in it; for tests.</summary>
    public IEnumerable<ReservationRequest> Requests
    {
        get
        {
            for (var request = _first; request is not null; request = request.Next) yield return request;
        }
    }

    /// <summary>
    /// Joins the queue for an access, unless it is in it already
    /// with all that it asks for. The request may be held at once.
    /// </summary>
    /// <param name="transaction">Who.</param>
    /// <param name="isExclusive">Whether it is an update.</param>
    /// <param name="readsLatest">Whether it takes a version that was handed on.</param>
    /// <param name="siteId">Its site.</param>
    /// <param name="isOrdinary">As for <see cref="ReservationRequest.IsOrdinary"/>.</param>
    public ReservationRequest Join(
        LocalTransaction transaction, bool isExclusive, bool readsLatest, int siteId, bool isOrdinary = true) =>
        transaction.Reservations?.Find(this, isExclusive)
            ?? Add(new ReservationRequest(this, transaction, isExclusive, readsLatest, siteId)
            {
                IsOrdinary = isOrdinary
            });

    /// <summary>The same before the body runs.</summary>
    /// <param name="transaction">Who.</param>
    /// <param name="planned">What it is going to do.</param>
    /// <param name="at">Which entry of its plan that is.</param>
    /// <param name="view">The order of that.</param>
    public ReservationRequest JoinPlanned(
        LocalTransaction transaction, in PlannedReservation planned, int at, ulong view)
    {
        if (transaction.Reservations?.Find(this, planned.IsExclusive) is { } known) return known;
        if (transaction.Policy.ChoosesAdmissions)
        {
            participant.WarmReserved(planned.IsExclusive, IsWanted(planned.IsExclusive));
            queues.Hot.Note(participant);
        }

        return Add(new ReservationRequest(
            this, transaction, planned.IsExclusive, readsLatest: true, Wait.ReservationSite)
        {
            At = at, View = view, AccessesLeft = planned.IsExclusive ? planned.Accesses : 0
        });
    }

    /// <summary>Somebody waits in it from now on, as an edge of the wait graph.</summary>
    public void WaitBegins() => queues.WaitBegins(this);

    /// <summary>One waits in it no longer.</summary>
    public void WaitEnds() => queues.WaitEnds(this);

    /// <summary>Whether somebody is in the queue whom one who comes now conflicts with.</summary>
    private bool IsWanted(bool isExclusive)
    {
        for (var request = _last; request is not null; request = request.Previous)
        {
            if (request.ConflictsWith(isExclusive, isOrdinary: false) && !request.Transaction.IsSealed
                && !request.Transaction.IsEnded)
                return true;
        }

        return false;
    }

    private ReservationRequest Add(ReservationRequest request)
    {
        Append(request);
        (request.Transaction.Reservations ??= new()).Add(request);
        queues.Events?.Queued(participant, request);
        Settle(request);
        if (request is { IsHeld: false, HasLeft: false }) queues.Calls.AskToGiveWay(request, byAge: false);
        if (request.IsPlannedAndWaits) queues.Statistics.ReservationWaits++;
        return request;
    }

    /// <summary>Holds it, if nobody who is in the queue conflicts.</summary>
    public void TryHold(LocalTransaction transaction, bool isExclusive, int siteId)
    {
        for (var request = _first; request is not null; request = request.Next)
        {
            if (request.Transaction != transaction && !request.IsHandedOn
                && request.ConflictsWith(isExclusive, isOrdinary: false))
                return;
        }

        Join(transaction, isExclusive, readsLatest: true, siteId, isOrdinary: false);
    }

    /// <summary>
    /// The last planned access is over and what it has written is exposed: the next may build on that before it is
    /// ordered. It is ordered first all the same, since who reads an exposed version waits for its writer, and in the
    /// order of reservations everywhere, since nobody hands on before it holds all that it has reserved.
    /// </summary>
    public void HandOn(ReservationRequest request)
    {
        MovedAt = queues.Now;
        NoteHold(request);
        request.HandOn();
        queues.Events?.HandsOn(participant, request);
        queues.Statistics.HandedOn++;
        while (NextBlockedBy(request, request.Next, readsLatest: true) is { } behind) Settle(behind);
    }

    /// <summary>Leaves the queue, held or not. Those behind move up.</summary>
    public void Leave(ReservationRequest request)
    {
        MovedAt = queues.Now;
        NoteHold(request);
        Unlink(request);
        queues.Events?.Leaves(participant, request);

        // One that has left would keep all that come after it from being
        // collected, for as long as it lies in an older generation.
        (request.Previous, request.Next) = (null, null);
        if (IsEmpty && participant.Reservations == this) participant.Reservations = null;
        Detach(request);
        request.GiveUp();

        // Settling one may doom another, which then leaves: so each is looked up anew.
        while (NextBlockedBy(request, _first, readsLatest: false) is { } behind) Settle(behind);
    }

    /// <summary>
    /// One that waits goes ahead of those that wait too and come after it, or do not conflict. If nobody waits ahead of
    /// it then, those are returned that come after it and hold this: they may wait elsewhere for somebody who comes
    /// behind it. Their bodies have not begun, as far as is known here. Whoever else comes before these has others
    /// ahead of it that come before them as well, and ask, or that queue in no order, and are found in a cycle.
    /// </summary>
    /// <param name="waiting">Who waits.</param>
    /// <param name="byAge">Whether the younger ones come after it, or else those that began later to reserve.</param>
    public List<ReservationRequest>? Pass(ReservationRequest waiting, bool byAge)
    {
        PassWaiting(waiting, byAge);
        if (waiting.HasLeft || waiting.IsHeld || waiting.Previous is { IsHeld: false }) return null;
        List<ReservationRequest>? holders = null;
        for (var request = waiting.Previous; request is { IsHandedOn: false }; request = request.Previous)
        {
            if (request is not { IsHeld: true, IsPlanned: true } || !request.ConflictsWith(waiting)
                || !request.IsAfter(waiting, byAge))
                continue;
            if (request.Transaction.IsSealed || request.Transaction.IsEnded || HasAccessed(request.Transaction))
                continue;
            if (request.Transaction.Reservations is { IsAllHere: true, Waiting: null }) continue;
            (holders ??= []).Add(request);
        }

        return holders;
    }

    private void PassWaiting(ReservationRequest waiting, bool byAge)
    {
        var next = waiting;
        while (next.Previous is { IsHeld: false } ahead
            && (!ahead.ConflictsWith(waiting) || ahead.IsAfter(waiting, byAge)))
            next = ahead;
        if (next == waiting) return;
        List<ReservationRequest> passed = [];
        for (var request = next; request != waiting; request = request.Next!) passed.Add(request);
        Move(waiting, next);

        // What they waited for may be ahead of both.
        SettleWaiting(passed);
    }

    /// <summary>Those that have waited since that time, or longer, in their order.</summary>
    public void AddWaiting(List<ReservationRequest> to, long since)
    {
        for (var request = _first; request is not null; request = request.Next)
        {
            if (request is { HasLeft: false, IsHeld: false, Edge: { } edge } && edge.StartedAt <= since)
                to.Add(request);
        }
    }

    /// <summary>Where a transaction waits.</summary>
    public ReservationRequest? WaitingOf(TransactionId id)
    {
        for (var request = _first; request is not null; request = request.Next)
        {
            if (!request.IsHeld && request.Transaction.Id == id) return request;
        }

        return null;
    }

    /// <summary>
    /// One that holds it waits from now on, behind another one that waits, and behind those whose places are between
    /// the two. Others that hold it too stay ahead of them.
    /// </summary>
    public void GiveWay(ReservationRequest holder, ReservationRequest older)
    {
        MovedAt = queues.Now;
        NoteHold(holder);
        holder.Unhold();
        queues.Events?.GivesWay(participant, holder, older);
        var next = older.Next;
        while (next is { IsPlannedAndWaits: true } && holder.IsAfter(next, byAge: false)) next = next.Next;
        Move(holder, next);
    }

    /// <summary>
    /// Whether a transaction may access the participant now. Who has no reservation and conflicts with one that is in
    /// the queue joins it first: past it, one of the two could only fail. Who has accessed the participant already goes
    /// on, because it holds up others and has nothing to gain.
    /// </summary>
    /// <remarks>
    /// One that has accessed something elsewhere may be what others wait for there, who have a place here and whose
    /// bodies have not begun. If it waited for those, that would close a cycle at each second access. Younger ones give
    /// way to it. Past older ones it goes at its own risk: its update is ordered after theirs if they come to access
    /// this first, and then it fails; until it is the oldest itself.
    /// </remarks>
    /// <param name="transaction">Who is about to access it.</param>
    /// <param name="isExclusive">Whether it is an update.</param>
    /// <param name="readsLatest">Whether it takes a version that was handed on.</param>
    /// <param name="isFirst">Whether it is the transaction's first access.</param>
    public bool Lets(LocalTransaction transaction, bool isExclusive, bool readsLatest, bool isFirst)
    {
        if (transaction.Reservations?.Held(this, isExclusive) is not null) return true;
        var isOrdinary = transaction.Reservations is not { HoldsAll: true };
        var conflicts = false;
        for (var request = _first; request is not null; request = request.Next)
        {
            if (request.Transaction == transaction || (request.IsHandedOn && readsLatest)
                || !request.ConflictsWith(isExclusive, isOrdinary))
                continue;
            conflicts = true;
            if (!isOrdinary || isFirst) break;
            if (transaction.IsYoungerThan(request.Transaction) && !HasAccessed(request.Transaction)) return true;
        }

        return !conflicts || HasAccessed(transaction);
    }

    private bool HasAccessed(LocalTransaction transaction) =>
        transaction.BranchAt(participant.Partition)?.EntryOf(participant) is not null;

    /// <summary>
    /// Who must have been ordered, or be gone, before another transaction's update can be ordered here without making
    /// it fail: a holder that has accessed the participant. Before it has, it loses nothing; and reads are in nobody's
    /// way, because a write that follows goes above them. Nor is one who has come to hold it after the updater, or has
    /// built on what that has exposed.
    /// </summary>
    public Branch? HolderInTheWayOf(LocalTransaction updater)
    {
        for (var request = _first; request is not null; request = request.Next)
        {
            if (request.Transaction == updater && request is { IsHeld: true, IsExclusive: true }
                && queues.Breaks != ProtocolBreaks.HandOnBehind)
                return null;
            if (!request.IsHeld || request.IsOrdinary || request.Transaction == updater || request.Transaction.IsSealed
                || request.Transaction.IsEnded)
                continue;
            if (request.Transaction.BranchAt(participant.Partition) is { State: BranchState.Running } branch
                && branch.EntryOf(participant) is { } entry && !HasBuiltOn(entry.Read, updater))
                return branch;
        }

        return null;
    }

    /// <summary>Whether a version is one that a transaction has exposed, or was built on that.</summary>
    private bool HasBuiltOn(StateVersion version, LocalTransaction writer)
    {
        if (queues.Breaks == ProtocolBreaks.HandOnBehind) return false;
        for (var exposed = version; exposed is { Status: VersionStatus.Exposed }; exposed = exposed.Previous)
        {
            if (exposed.Writer?.Transaction == writer) return true;
        }

        return false;
    }

    /// <summary>
    /// Whether one transaction has handed on to another, both having
    /// reserved in one order: a wait for it closes no cycle.
    /// </summary>
    public bool IsInOrder(LocalTransaction earlier, LocalTransaction later)
    {
        if (earlier.Reservations?.HandedOn(this) is not { IsPlanned: true } from
            || later.Reservations?.Held(this, isExclusive: false) is not { IsPlanned: true } to || to.View != from.View)
            return false;

        // Mostly it is the next one.
        var request = to.Previous;
        while (request is not null && request != from) request = request.Previous;
        return request is not null;
    }

    /// <summary>
    /// Puts one that waits before another one, or last. Settling one may doom others, which then leave.
    /// </summary>
    private void Move(ReservationRequest request, ReservationRequest? next)
    {
        List<ReservationRequest> blocked = [];
        for (var behind = request.Next; behind is not null; behind = behind.Next)
        {
            if (behind.BlockedBy == request) blocked.Add(behind);
        }

        Detach(request);
        Unlink(request);
        if (next is null) Append(request);
        else LinkBefore(next, request);

        // First those that waited for it: it may wait for them from now
        // on, and both at once would be taken for a cycle.
        SettleWaiting(blocked);
        if (request is { HasLeft: false, IsHeld: false }) Settle(request);
    }

    private void SettleWaiting(List<ReservationRequest> requests)
    {
        foreach (var request in requests)
        {
            if (request is { HasLeft: false, IsHeld: false }) Settle(request);
        }
    }

    private void Append(ReservationRequest request)
    {
        request.Previous = _last;
        request.Next = null;
        if (_last is null) _first = request;
        else _last.Next = request;
        _last = request;
    }

    private void Unlink(ReservationRequest request)
    {
        if (request.Previous is not null) request.Previous.Next = request.Next;
        else _first = request.Next;
        if (request.Next is not null) request.Next.Previous = request.Previous;
        else _last = request.Previous;
    }

    private void LinkBefore(ReservationRequest next, ReservationRequest request)
    {
        request.Next = next;
        request.Previous = next.Previous;
        if (next.Previous is not null) next.Previous.Next = request;
        else _first = request;
        next.Previous = request;
    }

    private void NoteHold(ReservationRequest request)
    {
        if (request.IsHeld) HandedAt = MovedAt;
        if (request.HeldAt > 0) queues.Options.ConflictTimes?.Held(participant.Key, MovedAt - request.HeldAt);
        request.HeldAt = 0;
    }

    private static ReservationRequest? NextBlockedBy(
        ReservationRequest left, ReservationRequest? from, bool readsLatest)
    {
        if (left.Blocked == 0) return null;
        for (var request = from; request is not null; request = request.Next)
        {
            if (request.BlockedBy == left && (request.ReadsLatest || !readsLatest)) return request;
        }

        return null;
    }

    /// <summary>
    /// Holds it if nothing conflicts ahead; else it waits for the nearest that does, so that one who leaves wakes few.
    /// </summary>
    private void Settle(ReservationRequest request)
    {
        Detach(request);
        if (Ahead(request) is not { } ahead)
        {
            if (queues.Options.ConflictTimes is not null) request.HeldAt = queues.Now;
            request.Hold();
            queues.Events?.Holds(participant, request);
            if (request.IsPlanned) queues.Calls.HoldsMore(request.Transaction);
            return;
        }

        request.BlockedBy = ahead;
        ahead.Blocked++;
        var isUnordered = request.IsPlanned && ahead.IsPlanned && ahead.View != request.View;
        var edge = request.Edge = queues.Waits.Register(
            request.Transaction, ahead.Transaction, Wait.Sealed,
            isUnordered ? Wait.UnorderedReservationSite : request.SiteId, participant, request);

        // Who waits for reservations alone waits in one order: a cycle
        // takes another wait, which finds it if it comes last.
        if (queues.Waits.HasUnordered) queues.Waits.BreakCycle(edge);
    }

    private static ReservationRequest? Ahead(ReservationRequest request)
    {
        for (var other = request.Previous; other is not null; other = other.Previous)
        {
            // Ahead of one that was handed on are only those that were, too, or are ordered or gone: while it was held
            // alone there was nobody else, and nobody is put ahead of who holds.
            if (other.IsHandedOn && request.ReadsLatest) return null;
            if (other.Transaction == request.Transaction || other.Transaction.IsSealed || other.Transaction.IsEnded)
                continue;
            if (request.ConflictsWith(other)) return other;
        }

        return null;
    }

    private void Detach(ReservationRequest request)
    {
        if (request.BlockedBy is { } ahead) ahead.Blocked--;
        request.BlockedBy = null;
        if (request.Edge is not { } edge) return;
        request.Edge = null;
        queues.Waits.Remove(edge);

        // Who is looking for cycles through it stops.
        edge.End(WaitOutcome.Satisfied);

        // Those behind it waited for a member of a queue, and now wait for one that may be held up anywhere.
        if (request.Transaction.Edges is { Waiters.Count: > 0 })
            queues.Waits.Probes.Watch(request.Transaction, queues.Now);
    }
}
