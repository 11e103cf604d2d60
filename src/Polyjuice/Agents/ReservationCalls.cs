using Polyjuice.Reservations;
using Polyjuice.Versions;

namespace Polyjuice.Agents;

/// <summary>Answers queues of reservations.</summary>
internal sealed class ReservationCalls(EngineParts engine) : IReservationCalls
{
    public void AskToGiveWay(ReservationRequest waiting, bool byAge) =>
        engine.Reservations.GivingWay.Ask(waiting, byAge);

    public void HoldsMore(LocalTransaction transaction) => engine.Reservations.Chains.HoldsMore(transaction);
}
