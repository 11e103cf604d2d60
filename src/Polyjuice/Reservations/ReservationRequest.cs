using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Reservations;

/// <summary>A transaction's place in the queue for one participant: waiting, or held.</summary>
internal sealed class ReservationRequest(
    ReservationQueue queue, LocalTransaction transaction, bool isExclusive, bool readsLatest,
    int siteId) : AwaitedReservation
{
    // Only an access that waits asks.
    private TaskCompletionSource<bool>? _end;

    public readonly ReservationQueue Queue = queue;
    public readonly LocalTransaction Transaction = transaction;
    public readonly bool IsExclusive = isExclusive;

    /// <summary>
    /// Whether its access takes a version that has been handed on to it, whose
    /// writer is not ordered yet. Who takes ordered ones only waits for that.
    /// </summary>
    public readonly bool ReadsLatest = readsLatest;

    /// <summary>The site of the access that waits, or <see cref="Wait.ReservationSite"/>.</summary>
    public readonly int SiteId = siteId;

    /// <summary>Which entry of its transaction's plan it is, if it was planned.</summary>
    public int At { get; init; }

    /// <summary>
    /// Whether it is there because a transaction that has not reserved this met those that have. Between such their
    /// tables' rows decide and not the queue: else all who come later would queue here too, and hold this until they
    /// are ordered, in as many orders as there are bodies, and so on for as long as anybody is in it, though nobody
    /// reserves any longer.
    /// </summary>
    public bool IsOrdinary { get; init; }

    /// <summary>The order in which it was reserved (<see cref="ReservationPlan.View"/>), if it was planned.</summary>
    public ulong View { get; init; }

    /// <summary>Accesses to come until it may be handed on; 0 when it may not.</summary>
    public int AccessesLeft;

    public ReservationRequest? Previous;
    public ReservationRequest? Next;

    /// <summary>The nearest one ahead that conflicts, while it waits.</summary>
    public ReservationRequest? BlockedBy;

    /// <summary>How many wait for this one as the nearest.</summary>
    public int Blocked;

    /// <summary>Who holds what it waits for: the first of those ahead that wait for each other.</summary>
    public LocalTransaction? Holder
    {
        get
        {
            var holder = BlockedBy;
            while (holder?.BlockedBy is { } ahead) holder = ahead;
            return holder?.Transaction;
        }
    }

    /// <summary>The edge of the wait graph that stands for that.</summary>
    public Wait? Edge;

    /// <summary>When its agent was told last that the queue moves.</summary>
    public long ToldAt;

    /// <summary>
    /// How often the attempt had given way when its agent last let
    /// this one give way (<see cref="Reserving.Generation"/>).
    /// </summary>
    public int GaveWayAt;

    /// <summary>Since when it is held, if anybody wants to know.</summary>
    public long HeldAt;

    public bool IsHeld { get; private set; }

    /// <summary>
    /// Whether it has been handed on: the next hold it too, and follow the version that its transaction has exposed. It
    /// stays in the queue until that is ordered.
    /// </summary>
    public bool IsHandedOn { get; private set; }

    /// <summary>Whether it is in the queue no longer.</summary>
    public bool HasLeft { get; private set; }

    /// <summary>Whether one of the two waits for the other one.</summary>
    public bool ConflictsWith(ReservationRequest other) => ConflictsWith(other.IsExclusive, other.IsOrdinary);

    /// <inheritdoc cref="ConflictsWith(ReservationRequest)"/>
    public bool ConflictsWith(bool isExclusive, bool isOrdinary) =>
        (IsExclusive || isExclusive) && !(IsOrdinary && isOrdinary);

    public bool IsPlanned => SiteId == Wait.ReservationSite;

    /// <summary>Whether it waits for what its transaction has planned.</summary>
    public bool IsPlannedAndWaits => IsPlanned && !IsHeld;

    /// <summary>
    /// Whether its transaction is younger than another one, or else began to reserve after it
    /// (<see cref="TransactionReservations.Place"/>). Who has reserved nothing has no such place, and goes by age.
    /// </summary>
    public bool IsAfter(ReservationRequest other, bool byAge) =>
        byAge || !IsPlanned || !other.IsPlanned
            ? Transaction.IsYoungerThan(other.Transaction)
            : LocalTransaction.IsYounger(
                Transaction.Reservations!.Place, Transaction.Id, other.Transaction.Reservations!.Place,
                other.Transaction.Id);

    /// <summary>
    /// Completes on the engine's turn, in a later event: true when
    /// it is held, false when it has left the queue instead.
    /// </summary>
    public Task<bool> Granted
    {
        get
        {
            if (_end is null)
            {
                _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
                if (IsHeld || HasLeft) _end.SetResult(IsHeld);
            }

            return _end.Task;
        }
    }

    /// <inheritdoc/>
    public override void WaitBegins() => Queue.WaitBegins();

    /// <inheritdoc/>
    public override void WaitEnds() => Queue.WaitEnds();

    public void Hold()
    {
        IsHeld = true;
        _end?.TrySetResult(true);
    }

    /// <summary>It waits again. Its transaction's body has not begun.</summary>
    public void Unhold()
    {
        IsHeld = false;
        _end = null;
    }

    public void HandOn() => IsHandedOn = true;

    public void GiveUp()
    {
        HasLeft = true;
        _end?.TrySetResult(false);
    }
}
