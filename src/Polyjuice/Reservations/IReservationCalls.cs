using Polyjuice.Versions;

namespace Polyjuice.Reservations;

/// <summary>What queues of reservations ask of the agents above them. On the engine's turn.</summary>
internal interface IReservationCalls
{
    /// <summary>A request waits: those who come after it are asked to let it go first (Q3).</summary>
    /// <param name="waiting">What waits.</param>
    /// <param name="byAge">Whether the younger ones come after it, or else those that began later to reserve.</param>
    void AskToGiveWay(ReservationRequest waiting, bool byAge);

    /// <summary>A transaction has come to hold what it has waited for.</summary>
    void HoldsMore(LocalTransaction transaction);
}
