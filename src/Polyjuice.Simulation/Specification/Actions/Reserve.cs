using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.Rules;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Actions;

/// <summary>Participants are reserved before bodies begin (Q1 to Q5).</summary>
internal static class Reserve
{
    /// <summary>Somebody comes to a queue.</summary>
    public static void Join(SpecificationState state, in ReservationQueued e)
    {
        if (state.Owner(e.Node, e.Partition, e.Epoch) is not { } owner) return;
        if (!owner.Queues.TryGetValue(e.Key, out var queue)) owner.Queues.Add(e.Key, queue = new QueueModel());
        Q1Queues.Check(queue, e);
        queue.Requests.Add(new ReservationModel(e, ++queue.Arrivals));

        // What was over and forgotten may come once more, with a late message. It is somebody like any other then.
        state.Node(e.Node).Over.Remove(e.Id);
        state.Node(e.Node).OverInTurn.Remove(e.Id);
    }

    /// <summary>Its turn has come.</summary>
    public static void Hold(SpecificationState state, in ReservationHeld e)
    {
        if (state.Owner(e.Node, e.Partition, e.Epoch)?.Queues.GetValueOrDefault(e.Key) is not { } queue) return;
        var request = queue.Find(e.Id, e.IsExclusive);
        Q1Queues.Check(state.Node(e.Node), queue, request, e);
        request!.IsHeld = true;
    }

    /// <summary>It lets those behind it build on what it has written.</summary>
    public static void HandOn(SpecificationState state, in ReservationHandedOn e)
    {
        if (state.Owner(e.Node, e.Partition, e.Epoch) is not { } owner
            || owner.Queues.GetValueOrDefault(e.Key) is not { } queue)
            return;
        var request = queue.Find(e.Id, e.IsExclusive);
        Q2HandOn.Check(state, owner, request, e);
        request!.IsHandedOn = true;
    }

    /// <summary>It waits behind one that comes before it.</summary>
    public static void GiveWay(SpecificationState state, in ReservationGaveWay e)
    {
        if (state.Owner(e.Node, e.Partition, e.Epoch) is not { } owner) return;
        if (owner.Queues.GetValueOrDefault(e.Key) is not { } queue) return;
        var request = queue.Find(e.Id, e.IsExclusive);
        Q3GiveWay.Check(state, owner, queue, request, e);
        request!.IsHeld = false;

        // It comes behind the other one; before or behind whom else is not said.
        request.PlacedAt = ++queue.Arrivals;
    }

    /// <summary>It has gone.</summary>
    public static void Leave(SpecificationState state, in ReservationLeft e)
    {
        if (state.Owner(e.Node, e.Partition, e.Epoch) is not { } owner
            || owner.Queues.GetValueOrDefault(e.Key) is not { } queue)
            return;
        if (queue.Find(e.Id, e.IsExclusive) is { } request) queue.Requests.Remove(request);
        if (queue.Requests.Count == 0) owner.Queues.Remove(e.Key);
    }

    /// <summary>An agent asks for all of a plan.</summary>
    public static void Ask(SpecificationState state, in ReservationsAsked e)
    {
        var reserving = state.Transaction(e.Id).Reserving ??= new ReservingModel(e.Entries);
        reserving.AskedAt = e.Now;
    }

    /// <summary>It waits.</summary>
    public static void Await(SpecificationState state, in ReservationsAwaited e)
    {
        if (state.Transaction(e.Id).Reserving is { } reserving) Q4Chain.Check(reserving, e);
    }

    /// <summary>It is told that a part is held.</summary>
    public static void Say(SpecificationState state, in ReservationsHeld e)
    {
        Q4Chain.Check(state.Node(e.Node), e);
        state.Transaction(e.Id).Reserving?.Hold(e.From, e.To, e.Generation);
    }

    /// <summary>It has agreed to let another one go first.</summary>
    public static void CountNoLonger(SpecificationState state, in ReservationNotCountedOn e) =>
        state.Transaction(e.Id).Reserving?.GiveWay(e.At, e.Generation);

    /// <summary>It is done.</summary>
    public static void Begin(SpecificationState state, in ReservedBodyBegun e)
    {
        if (state.Transaction(e.Id).Reserving is not { } reserving) return;
        Q4Chain.Check(reserving, e);
        reserving.HasBegun = true;
        reserving.IsCutShort = e.IsCutShort;
    }

    /// <summary>An attempt is in nobody's way any more.</summary>
    public static void End(SpecificationState state, in TransactionOver e)
    {
        var node = state.Node(e.Node);
        if (node.Over.Add(e.Id)) node.OverInTurn.Add(e.Id);
    }

    /// <summary>A turn is over.</summary>
    public static void EndTurn(SpecificationState state, in TurnEnded e)
    {
        var node = state.Node(e.Node);
        foreach (var id in node.OverInTurn) Q5Release.Check(node, id, e);
        node.OverInTurn.Clear();
    }
}
