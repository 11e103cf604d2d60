using Polyjuice.Simulation.Specification.Events;
using static Polyjuice.Simulation.Tests.Specification.Trace;

namespace Polyjuice.Simulation.Tests.Specification;

/// <summary>
/// A trace made by hand of the queue of <see cref="Trace.X"/>, at node 1. What
/// is not given says that transactions came in the order of their numbers.
/// </summary>
internal sealed class QueueTrace
{
    public const long AskedAgainAfter = 10;

    public Trace Trace { get; } = new();

    public void Join(
        int transaction, bool isExclusive = true, int accesses = 0, bool readsLatest = true, long place = 0,
        long firstAttempt = 0) =>
        Trace.Specification.Accept(new ReservationQueued(First, 0, 1, X, T(transaction), isExclusive)
        {
            IsPlanned = true,
            Accesses = accesses,
            ReadsLatest = readsLatest,
            Place = place == 0 ? transaction : place,
            FirstAttempt = firstAttempt == 0 ? transaction : firstAttempt,
        });

    public void Hold(int transaction, bool isExclusive = true) =>
        Trace.Specification.Accept(new ReservationHeld(First, 0, 1, X, T(transaction), isExclusive));

    public void HandOn(int transaction, bool isExclusive = true) =>
        Trace.Specification.Accept(new ReservationHandedOn(First, 0, 1, X, T(transaction), isExclusive));

    public void GiveWay(int transaction, int to) =>
        Trace.Specification.Accept(new ReservationGaveWay(First, 0, 1, X, T(transaction), IsExclusive: true, T(to)));

    public void Leave(int transaction) =>
        Trace.Specification.Accept(new ReservationLeft(First, 0, 1, X, T(transaction), IsExclusive: true));

    public void Access(int transaction) => Trace.Access(transaction, 0);

    public void End(int transaction) => Trace.Specification.Accept(new TransactionOver(First, T(transaction)));

    public void Ask(int transaction, int entries, long now = 0) =>
        Trace.Specification.Accept(new ReservationsAsked(Agent, T(transaction), entries, now));

    public void Await(int transaction, long now) =>
        Trace.Specification.Accept(new ReservationsAwaited(Agent, T(transaction), now, AskedAgainAfter));

    public void SayHeld(int transaction, int from, int to, int generation = 0) =>
        Trace.Specification.Accept(new ReservationsHeld(First, T(transaction), from, to, generation));

    public void CountNoLonger(int transaction, int at, int generation) =>
        Trace.Specification.Accept(new ReservationNotCountedOn(Agent, T(transaction), at, generation));

    public void Begin(int transaction, bool isCutShort = false) =>
        Trace.Specification.Accept(new ReservedBodyBegun(Agent, T(transaction), isCutShort));
}
