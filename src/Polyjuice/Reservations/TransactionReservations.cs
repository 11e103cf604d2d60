using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Reservations;

/// <summary>
/// What one node knows of one attempt's reservations: those here, and whether it keeps to them; or that it is no
/// attempt, but a dry run. One object that most transactions do without.
/// </summary>
internal sealed class TransactionReservations : ReservedStates
{
    private readonly List<ReservationRequest> _requests = [];
    private List<HeldPart>? _untold;

    /// <summary>When the attempt began to reserve, on the host's clock, in microseconds.</summary>
    public long BegunAt;

    /// <summary>At the agent's node: what the attempt reserves, and its next one will.</summary>
    public ReservationPlan? Plan;

    /// <summary>At the agent's node, while it reserves.</summary>
    public Reserving? Reserving;

    /// <summary>The attempt that follows this one, when it had to be planned.</summary>
    public AgentSide? Next;

    /// <summary>Set when this is no attempt, but a dry run.</summary>
    public DryRun? DryRun;

    /// <summary>Whether the attempt has a plan, here or elsewhere: then an access outside of it counts.</summary>
    public bool IsPlanned;

    /// <summary>
    /// Whether what it has planned is a part of its accesses only, by intent: others follow ordinary rows.
    /// </summary>
    public bool IsPartial;

    /// <summary>Whether it has accessed what it had not reserved, or more than that.</summary>
    public bool Differs;

    /// <summary>Whether it has handed on anything (Q2), here or where it has called.</summary>
    public bool HasHandedOn;

    /// <summary>Whether the attempt went on before all was held.</summary>
    public bool WasCutShort;

    /// <summary>Whether grains have been activated for it: then it gives nothing back for any.</summary>
    public bool IsLoaded;

    /// <summary>
    /// At the agent's node: the attempt ends without having run, because it was there to have grains activated.
    /// </summary>
    public bool IsGivenBack;

    /// <summary>
    /// The attempt's place in the order of all that reserve: the clock when it joined its first queue, which its plan
    /// takes along from silo to silo. 0 while it has joined none, as far as is known here.
    /// </summary>
    public long Place;

    /// <summary>Whether all of its plan is here.</summary>
    public bool IsAllHere;

    /// <summary>
    /// How often the attempt had given way when its agent was last heard of here (<see cref="Reserving.Generation"/>).
    /// </summary>
    public int Generation;

    /// <inheritdoc/>
    public override bool IsDryRun => DryRun is not null;

    /// <inheritdoc/>
    public override bool HoldsAny(ReservedState queue) => Held((ReservationQueue)queue, isExclusive: false) is not null;

    /// <summary>Held and waited for; for tests.</summary>
    public IReadOnlyList<ReservationRequest> Requests => _requests;

    /// <summary>What it holds here of its plan, or waits for.</summary>
    /// <param name="at">The entry of the plan.</param>
    public ReservationRequest? PlannedAt(int at) => _requests.Find(request => request.IsPlanned && request.At == at);

    /// <summary>What it holds of a queue, or waits for there, with all that it asks for.</summary>
    /// <param name="queue">Which.</param>
    /// <param name="isExclusive">Whether only what is exclusive will do.</param>
    public ReservationRequest? Find(ReservationQueue queue, bool isExclusive)
    {
        foreach (var request in _requests)
        {
            if (request.Queue == queue && (request.IsExclusive || !isExclusive)) return request;
        }

        return null;
    }

    /// <summary>What it holds of a queue, handed on or not.</summary>
    /// <param name="queue">Which.</param>
    /// <param name="isExclusive">Whether only what is exclusive will do.</param>
    public ReservationRequest? Held(ReservationQueue queue, bool isExclusive)
    {
        foreach (var request in _requests)
        {
            if (request.IsHeld && request.Queue == queue && (request.IsExclusive || !isExclusive)) return request;
        }

        return null;
    }

    /// <summary>What it has handed on of a queue.</summary>
    public ReservationRequest? HandedOn(ReservationQueue queue) =>
        Find(queue, isExclusive: true) is { IsHandedOn: true } request ? request : null;

    /// <summary>The first that it waits for at this node before its body begins, if it does.</summary>
    public ReservationRequest? Waiting
    {
        get
        {
            foreach (var request in _requests)
            {
                if (!request.IsHeld && request.SiteId == Wait.ReservationSite) return request;
            }

            return null;
        }
    }

    /// <summary>The attempt that follows; asked for once.</summary>
    public AgentSide TakeNext()
    {
        var next = Next!;
        Next = null;
        return next;
    }

    public void Add(ReservationRequest request) => _requests.Add(request);

    /// <summary>Whether its agent is to be told of something when all that is reserved here is held.</summary>
    public bool HasUntold => _untold is not null;

    /// <summary>Its agent is to be told of that when all that is reserved here is held.</summary>
    public void TellLater(in HeldPart part) => (_untold ??= new(1)).Add(part);

    /// <summary>What that is; asked for once.</summary>
    public List<HeldPart> TakeUntold()
    {
        var parts = _untold!;
        _untold = null;
        return parts;
    }

    /// <summary>Attempts of the transaction before this one that strayed from their plans.</summary>
    public int Strays;

    /// <summary>
    /// Whether one of them has accessed what it had not reserved:
    /// then it is not believed what the transaction declares.
    /// </summary>
    public bool IsMisdeclared;

    /// <summary>Whether it holds what it has planned.</summary>
    public bool KeepsToPlan => IsPlanned && !WasCutShort;

    /// <summary>Whether it is to hold whatever it accesses.</summary>
    public bool HoldsAll => KeepsToPlan && !IsPartial;

    /// <summary>
    /// An access is made. What was not planned is reserved now, if it is free:
    /// past it, others would be ordered between this and what it has reserved.
    /// </summary>
    /// <param name="queues">The engine's.</param>
    /// <param name="transaction">Whose this is.</param>
    /// <param name="participant">What is accessed.</param>
    /// <param name="kind">How.</param>
    /// <param name="siteId">The access's site.</param>
    public void Note(
        ReservationQueues queues, LocalTransaction transaction, Participant participant, AccessKind kind, int siteId)
    {
        if (!IsPlanned) return;
        foreach (var request in _requests)
        {
            if (request.Queue != participant.Reservations || request.IsHandedOn) continue;

            // An owner of before has told the agent that it is held there.
            // It is not here: the attempt keeps to no order.
            WasCutShort |= request.IsPlannedAndWaits;
            if (request.IsExclusive || kind == AccessKind.Read) return;
        }

        if (IsPartial) return;
        Differs = true;
        if (!WasCutShort) participant.ReservationsOf(queues).TryHold(transaction, kind == AccessKind.Update, siteId);
    }

    /// <summary>
    /// An access is over, and nothing is left to be validated before it counts. If it was the last planned one to what
    /// it has reserved, that is handed on: others may build on what it has written, which is exposed with it. What was
    /// only read is kept: who overwrites it would have to come later, and nothing says so.
    /// </summary>
    /// <param name="transaction">Whose this is.</param>
    /// <param name="participant">What was accessed.</param>
    /// <param name="breaks">The rules that are left out.</param>
    public void EndAccess(LocalTransaction transaction, Participant participant, ProtocolBreaks breaks)
    {
        if (!KeepsToPlan || transaction.Generation > 0 || participant.Reservations is not { } queue) return;
        foreach (var request in _requests)
        {
            if (request.Queue != queue || request.AccessesLeft == 0 || !request.IsHeld) continue;
            if (breaks == ProtocolBreaks.HandOnEarly) request.AccessesLeft = 1;
            if (--request.AccessesLeft == 0 && transaction.BranchAt(queue.Partition)?.EntryOf(participant) is { } entry
                && Exposure.TryExpose(entry))
            {
                HasHandedOn = true;
                queue.HandOn(request);
            }

            return;
        }
    }

    /// <summary>The transaction is ordered at a partition, or has ended there: its accesses there are over.</summary>
    public void ReleaseAt(VersionedPartition partition) => Release(partition, keepsHeld: false);

    public void ReleaseAll() => Release(partition: null, keepsHeld: false);

    /// <summary>Waits for nothing any longer; what is held stays held.</summary>
    public void StopWaiting() => Release(partition: null, keepsHeld: true);

    private void Release(VersionedPartition? partition, bool keepsHeld)
    {
        // One that leaves may doom others, and so come back here for
        // another transaction, never for this one's held ones.
        for (var i = _requests.Count - 1; i >= 0; i--)
        {
            if (i >= _requests.Count || _requests[i] is not { } request
                || (partition is not null && request.Queue.Partition != partition) || (keepsHeld && request.IsHeld))
                continue;
            _requests.RemoveAt(i);

            // What it waited for will not be held.
            if (request.IsPlannedAndWaits) _untold = null;
            request.Queue.Leave(request);
        }
    }
}
