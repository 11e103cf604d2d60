using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>A request is in the queue of a participant, behind all that are there (Q1).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Epoch">Its epoch.</param>
/// <param name="Key">The participant.</param>
/// <param name="Id">The attempt.</param>
/// <param name="IsExclusive">Whether nobody else may hold it at the same time.</param>
internal readonly record struct ReservationQueued(
    NodeId Node, int Partition, long Epoch, ParticipantKey Key, TransactionId Id, bool IsExclusive)
{
    /// <summary>Whether its transaction has planned it, and did not come to it with an access.</summary>
    public bool IsPlanned { get; init; }

    /// <summary>Which entry of the plan it is.</summary>
    public int At { get; init; }

    /// <summary>After so many accesses it may be handed on; 0 when it may not.</summary>
    public int Accesses { get; init; }

    /// <summary>Whether it is of one that reserves nothing: such do not wait for each other.</summary>
    public bool IsOrdinary { get; init; }

    /// <summary>Whether it may build on what was handed on, before that is ordered.</summary>
    public bool ReadsLatest { get; init; }

    /// <summary>When its attempt began to reserve; 0 when that is not known.</summary>
    public long Place { get; init; }

    /// <summary>When its transaction's first attempt began; 0 when that is not known.</summary>
    public long FirstAttempt { get; init; }
}
