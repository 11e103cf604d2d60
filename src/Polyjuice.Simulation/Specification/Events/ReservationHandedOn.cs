using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>Who holds a request hands it on to those behind it (Q2).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Epoch">Its epoch.</param>
/// <param name="Key">The participant.</param>
/// <param name="Id">The attempt.</param>
/// <param name="IsExclusive">Whether nobody else may hold it at the same time.</param>
internal readonly record struct ReservationHandedOn(
    NodeId Node,
    int Partition,
    long Epoch,
    ParticipantKey Key,
    TransactionId Id,
    bool IsExclusive);
