using Polyjuice.Partitions;
using Polyjuice.Reservations;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Tracing;

// What comes before the commit: reservations, and bodies that run again.
internal sealed partial class NodeTrace
{
    public void Refuted(LocalTransaction transaction, int number) =>
        Take(() => Specification.Accept(new AccessRefuted(node.Id, transaction.Id, number)));

    public void ServedAgain(LocalTransaction transaction, Participant participant, int number) =>
        Take(() => Specification.Accept(new AccessServedAgain(node.Id, transaction.Id, participant.Key, number)));

    public void Over(LocalTransaction transaction)
    {
        if (transaction.Reservations is not null) node.Cluster.TraceLine(() => $"{node.Id}: {transaction.Id} is over");
        Take(() => Specification.Accept(new TransactionOver(node.Id, transaction.Id)));
    }

    public void Queued(Participant participant, ReservationRequest request)
    {
        var owner = participant.Owner;
        Describe("queues", participant, request);
        var reservations = request.Transaction.Reservations;
        var joined = new ReservationQueued(
            node.Id,
            NumberOf(owner.Partition),
            owner.Epoch,
            participant.Key,
            request.Transaction.Id,
            request.IsExclusive)
        {
            IsPlanned = request.IsPlanned,
            At = request.At,
            Accesses = request.AccessesLeft,
            IsOrdinary = request.IsOrdinary,
            ReadsLatest = request.ReadsLatest,
            Place = reservations?.Place ?? 0,
            FirstAttempt = request.Transaction.FirstAttempt,
        };
        Take(() => Specification.Accept(joined));
    }

    public void Holds(Participant participant, ReservationRequest request)
    {
        var owner = participant.Owner;
        Describe("holds", participant, request);
        Take(
            () => Specification.Accept(
                new ReservationHeld(
                    node.Id,
                    NumberOf(owner.Partition),
                    owner.Epoch,
                    participant.Key,
                    request.Transaction.Id,
                    request.IsExclusive)));
    }

    public void HandsOn(Participant participant, ReservationRequest request)
    {
        var owner = participant.Owner;
        Describe("hands on", participant, request);
        Take(
            () => Specification.Accept(
                new ReservationHandedOn(
                    node.Id,
                    NumberOf(owner.Partition),
                    owner.Epoch,
                    participant.Key,
                    request.Transaction.Id,
                    request.IsExclusive)));
    }

    public void GivesWay(Participant participant, ReservationRequest holder, ReservationRequest older)
    {
        var owner = participant.Owner;
        Describe($"gives way to {older.Transaction.Id}", participant, holder);
        Take(() => Specification.Accept(
            new ReservationGaveWay(
                node.Id,
                NumberOf(owner.Partition),
                owner.Epoch,
                participant.Key,
                holder.Transaction.Id,
                holder.IsExclusive,
                older.Transaction.Id)));
    }

    public void Leaves(Participant participant, ReservationRequest request)
    {
        var owner = participant.Owner;
        Describe("leaves", participant, request);
        Take(
            () => Specification.Accept(
                new ReservationLeft(
                    node.Id,
                    NumberOf(owner.Partition),
                    owner.Epoch,
                    participant.Key,
                    request.Transaction.Id,
                    request.IsExclusive)));
    }

    public void AsksToReserve(LocalTransaction transaction, ReservationPlan plan) =>
        Take(
            () => Specification.Accept(
                new ReservationsAsked(node.Id, transaction.Id, plan.Entries.Length, node.UtcMicroseconds)));

    public void StillReserves(LocalTransaction transaction, long now) =>
        Take(
            () => Specification.Accept(
                new ReservationsAwaited(node.Id, transaction.Id, now, node.Cluster.Shape.Options.ResendMicroseconds)));

    public void CountsNoLonger(LocalTransaction transaction, int at, int generation) =>
        Take(() => Specification.Accept(new ReservationNotCountedOn(node.Id, transaction.Id, at, generation)));

    public void SaysHeld(LocalTransaction transaction, in HeldPart part)
    {
        var said = new ReservationsHeld(node.Id, transaction.Id, part.From, part.To, part.Generation);
        Take(() => Specification.Accept(said));
    }

    public void Begins(LocalTransaction transaction)
    {
        var isCutShort = transaction.Reservations!.WasCutShort;
        Take(() => Specification.Accept(new ReservedBodyBegun(node.Id, transaction.Id, isCutShort)));
    }

    private void Describe(string what, Participant participant, ReservationRequest request) =>
        node.Cluster.TraceLine(
            () =>
                $"{node.Id}: {request.Transaction.Id} {what} "
                + $"{participant.Key.Grain}{(request.IsExclusive ? "!" : "")}");

    private void Take(Action accept)
    {
        if (!trace.Takes(node)) return;
        try
        {
            accept();
        }
        catch (SimulationFailedException rejection)
        {
            trace.Reject(rejection);
        }
    }
}
