using Polyjuice.Versions;

namespace Polyjuice.Waits;

/// <summary>How a wait ended.</summary>
internal enum WaitOutcome
{
    /// <summary>What was waited for has happened, or the other is gone.</summary>
    Satisfied,

    /// <summary>The waiting transaction was doomed meanwhile.</summary>
    Doomed,
}

/// <summary>One transaction waits at this node for another: an edge of the wait graph.</summary>
internal sealed class Wait(
    LocalTransaction waiter, LocalTransaction target, int level, long startedAt, int siteId, Participant? queue,
    AwaitedReservation? reservation = null) : WaitEdge, IHasDuePlace
{
    private DuePlace _due;

    /// <summary>Level that means: until sealed or aborted.</summary>
    public const int Sealed = int.MaxValue - 1;

    /// <summary>Level that means: until none of its accesses here is being validated early.</summary>
    public const int Validated = int.MaxValue - 2;

    /// <summary>Level that means: until committed or aborted here.</summary>
    public const int Decided = int.MaxValue;

    /// <summary>Site of a wait that is not for an access: a parked prepare.</summary>
    public const int NoSite = -1;

    /// <summary>
    /// Site of a wait for a reservation before the body runs: like an access, it waits here and nowhere else.
    /// </summary>
    public const int ReservationSite = -2;

    /// <summary>
    /// The same behind one that has reserved in another order, or in none: such waits may close a cycle.
    /// </summary>
    public const int UnorderedReservationSite = -3;

    /// <summary>
    /// Site of a parked prepare that waits for who has handed the state on to it: in the same order as reservations.
    /// </summary>
    public const int HandedOnSite = -4;

    /// <summary>
    /// Site of a call that waits for the turn of an activation which runs one call at a time. The host has it; nothing
    /// ends such a wait but the call that holds the turn.
    /// </summary>
    public const int TurnSite = -5;

    public readonly LocalTransaction Waiter = waiter;
    public readonly LocalTransaction Target = target;

    /// <summary>
    /// A position that the target must have finished, or <see cref="Sealed"/> or <see cref="Decided"/>.
    /// </summary>
    public readonly int Level = level;

    /// <summary>On the host's clock, in microseconds.</summary>
    public readonly long StartedAt = startedAt;

    public readonly int SiteId = siteId;

    /// <summary>
    /// The state in whose queue of those who wait for holders the
    /// waiter stands; <see langword="null"/> for other waits.
    /// </summary>
    public readonly Participant? Queue = queue;

    /// <summary>Whether the target does not hold that state either, but stands there just ahead.</summary>
    public readonly bool IsBehind = queue is not null && !queue.IsHeldBy(target);

    /// <summary>
    /// The place in a queue of reservations where it waits, before its body
    /// begins or with an access; <see langword="null"/> for other waits.
    /// </summary>
    public readonly AwaitedReservation? Reservation = reservation;

    /// <summary>When the target's agent was last asked to say how far it has got.</summary>
    public long AskedAt = startedAt;

    // Neighbours among the waits of the node that have not lasted, in the order in which they began.
    public Wait? Earlier;
    public Wait? Later;

    /// <summary>Whether it has lasted: then it is no longer among its neighbours.</summary>
    public bool HasLasted;

    // Nobody awaits a wait for a reservation: its queue says when it is over.
    private readonly TaskCompletionSource<WaitOutcome>? _completion = reservation is null
        ? new(TaskCreationOptions.RunContinuationsAsynchronously)
        : null;

    /// <summary>
    /// Completes on the engine's turn, in a later event: who ends a wait
    /// is never re-entered by who waited. Not of one for a reservation.
    /// </summary>
    public Task<WaitOutcome> Completion => _completion!.Task;

    /// <summary>
    /// Whether the target is in the way only by its place in the queue in which it waits itself, by the given wait.
    /// Without it the waiter would wait for whom the target waits for: to abort it would help nobody.
    /// </summary>
    public bool IsOnlyAheadOf(Wait next) => IsBehind && next.Queue == Queue;

    /// <summary>
    /// Whether it is one of those that are in one order everywhere, as far as messages keep theirs, and close no cycle
    /// by themselves that lasts (<see cref="Agents.GivingWay.Ask"/>).
    /// </summary>
    public bool IsOrdered => SiteId is ReservationSite or HandedOnSite;

    /// <summary>
    /// Whether it is for a reservation before the body runs: how long that may take is the agent's business.
    /// </summary>
    public bool IsForReservation => SiteId is ReservationSite or UnorderedReservationSite;

    /// <inheritdoc/>
    public ref DuePlace Due => ref _due;

    /// <summary>Whether it is for a turn, of which only the host knows how soon it comes.</summary>
    public bool IsForTurn => SiteId == TurnSite;

    public bool IsDone { get; private set; }

    /// <summary>It is over, however it ended.</summary>
    public void End(WaitOutcome outcome)
    {
        IsDone = true;
        _completion?.TrySetResult(outcome);
    }

    public static bool IsSatisfied(LocalTransaction target, int level) =>
        target.IsEnded || (level <= Sealed && target.IsSealed) || target.Progress >= level
            || (level == Validated && target.Validating == 0);
}
