using Polyjuice.Contracts;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>Who holds a request waits from now on, behind another one that waits (Q3).</summary>
/// <param name="Node">The owner.</param>
/// <param name="Partition">Its partition.</param>
/// <param name="Epoch">Its epoch.</param>
/// <param name="Key">The participant.</param>
/// <param name="Id">The attempt.</param>
/// <param name="IsExclusive">Whether nobody else may hold it at the same time.</param>
/// <param name="Older">Who waits, and comes before it.</param>
internal readonly record struct ReservationGaveWay(
    NodeId Node,
    int Partition,
    long Epoch,
    ParticipantKey Key,
    TransactionId Id,
    bool IsExclusive,
    TransactionId Older);
