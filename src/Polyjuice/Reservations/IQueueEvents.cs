using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Reservations;

/// <summary>Hears of each step that a queue of reservations takes, at the moment when it takes it.</summary>
internal interface IQueueEvents : IMessageEvents
{
    /// <summary>Q1: a request is in the queue of those who have reserved a participant, or wait to.</summary>
    void Queued(Participant participant, ReservationRequest request);

    /// <summary>Q1: it is held.</summary>
    void Holds(Participant participant, ReservationRequest request);

    /// <summary>Q2: it is handed on to those behind it.</summary>
    void HandsOn(Participant participant, ReservationRequest request);

    /// <summary>Q3: who holds it waits from now on, behind one that comes before it.</summary>
    void GivesWay(Participant participant, ReservationRequest holder, ReservationRequest older);

    /// <summary>It has left the queue.</summary>
    void Leaves(Participant participant, ReservationRequest request);
}
