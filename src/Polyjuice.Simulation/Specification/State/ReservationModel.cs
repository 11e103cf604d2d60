using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>One place in a queue of reservations (Q1).</summary>
/// <param name="joined">How it came.</param>
/// <param name="arrival">As the how-manieth.</param>
internal sealed class ReservationModel(ReservationQueued joined, int arrival)
{
    private readonly ReservationQueued _joined = joined;
    private readonly int _arrival = arrival;

    /// <summary>Whose.</summary>
    public TransactionId Id => _joined.Id;

    /// <summary>Whether nobody else may hold it at the same time.</summary>
    public bool IsExclusive => _joined.IsExclusive;

    /// <summary>Whether its transaction has planned it.</summary>
    public bool IsPlanned => _joined.IsPlanned;

    /// <summary>Which entry of the plan it is.</summary>
    public int At => _joined.At;

    /// <summary>After so many accesses it may be handed on; 0 when it may not.</summary>
    public int Accesses => _joined.Accesses;

    /// <summary>Whether it may build on what was handed on, before that is ordered.</summary>
    public bool ReadsLatest => _joined.ReadsLatest;

    /// <summary>
    /// Whether another one came to the queue while this one was in its place there, and so behind it.
    /// </summary>
    public bool IsAheadOf(ReservationModel other) => PlacedAt < other._arrival;

    /// <summary>When it came to its place: as it came, or when it gave way.</summary>
    public int PlacedAt { get; set; } = arrival;

    /// <summary>Whether it is held.</summary>
    public bool IsHeld { get; set; }

    /// <summary>Whether it was handed on to those behind it.</summary>
    public bool IsHandedOn { get; set; }

    /// <summary>Whether one of the two waits for the other one.</summary>
    public bool ConflictsWith(ReservationModel other) =>
        (IsExclusive || other.IsExclusive) && !(_joined.IsOrdinary && other._joined.IsOrdinary);

    /// <summary>
    /// Whether another one may go first: it began to reserve before this
    /// one, or is older. Of those of whom that is not known, either may.
    /// </summary>
    public bool MayLetPass(ReservationModel other)
    {
        var (own, its) = (_joined, other._joined);
        if (own.FirstAttempt == 0 || its.FirstAttempt == 0 || IsAfter(own.FirstAttempt, its.FirstAttempt, its.Id))
            return true;
        return own is { IsPlanned: true, Place: not 0 } && its is { IsPlanned: true, Place: not 0 }
            && IsAfter(own.Place, its.Place, its.Id);
    }

    private bool IsAfter(long own, long other, TransactionId id) => own != other ? own > other : Id.CompareTo(id) > 0;

    /// <summary>For people.</summary>
    public override string ToString() =>
        $"{Id} {(IsExclusive ? "exclusive" : "shared")}{(IsHeld ? ", held" : "")}{(IsHandedOn ? ", handed on" : "")}";
}
