using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Giving way (Q3): messages that overtake each other make two attempts queue in one order here and in the other one
/// there. Before their bodies have begun that costs nobody an abort: one of them lets the other one go first.
/// </summary>
internal sealed class GivingWay(
    EngineContext context, Mail mail, TransactionTable transactions, ReservationChains chains)
{
    /// <summary>
    /// Lets an attempt that waits, before its body begins or with an access, go ahead of those that come after it and
    /// wait too, and asks those that come after it and hold what it waits for, by way of their agents, to let it go
    /// first. In a circle of attempts that wait for each other's reservations somebody who comes earlier waits for
    /// somebody who comes later, and nobody in it has begun its body, so it opens; and the earliest gives way to
    /// nobody, so that none waits forever. It is wound-wait (Rosenkrantz, Stearns, Lewis 1978) without the wound.
    /// </summary>
    /// <remarks>
    /// By places, in the order in which attempts begin to reserve, when an attempt comes to a queue: that opens a
    /// circle by the message that would close it. By age when it has waited for a tick at a queue that stands: a place
    /// is lost with the silo that gave it, an age is not. By ages alone circles would be made, of those that come and
    /// wait: they tell of when a client has called, and between two silos the call of an older one comes after a
    /// younger one that holds already.
    /// </remarks>
    /// <param name="waiting">What waits.</param>
    /// <param name="byAge">Whether the younger ones come after it, or else those that began later to reserve.</param>
    public void Ask(ReservationRequest waiting, bool byAge)
    {
        if (context.Breaks == ProtocolBreaks.NeverGiveWay || waiting.Queue.Pass(waiting, byAge) is not { } holders)
            return;
        foreach (var request in holders)
        {
            var holder = request.Transaction;
            var question = new GiveWayQuestion
            {
                Holder = holder.Id, Waiter = waiting.Transaction.Id, At = request.At,
            };
            if (holder.Agent is not null) OnQuestion(question, context.Node);
            else mail.Send(holder.Id.Node, question);
        }
    }

    public void OnGiveWay(in Message message)
    {
        if (GiveWayQuestion.Is(message)) OnQuestion(GiveWayQuestion.Read(message), message.From);
        else OnAnswer(GiveWayAnswer.Read(message));
    }

    private void OnQuestion(in GiveWayQuestion question, NodeId from)
    {
        if (!transactions.TryFind(question.Holder, out var holder)
            || holder.Agent?.Reserving is not { IsOver: false, Loading: null } reserving
            || (uint)question.At >= (uint)reserving.Plan.Entries.Length)
            return;
        var generation = reserving.GiveWay(question.At);
        context.Events?.CountsNoLonger(holder, question.At, generation);
        var answer = new GiveWayAnswer
        {
            Holder = holder.Id, Waiter = question.Waiter, At = question.At, Generation = generation,
        };
        if (from == context.Node) GiveWay(holder, answer);
        else mail.Send(from, answer);
    }

    private void OnAnswer(in GiveWayAnswer answer)
    {
        if (transactions.TryFind(answer.Holder, out var holder)) GiveWay(holder, answer);
    }

    /// <summary>The agent does not count on it any longer; it is told when it is held again.</summary>
    private void GiveWay(LocalTransaction holder, in GiveWayAnswer answer)
    {
        // What the agent has asked for since counts as held from then on.
        var generation = answer.Generation;
        if (holder.Reservations is not { WasCutShort: false } reservations || reservations.Generation >= generation)
            return;
        if (reservations.PlannedAt(answer.At) is not { } request) return;

        // Its agent may have been told since that it is held again, and its
        // body have begun: an answer that comes late takes nothing back.
        if (request.GaveWayAt >= generation) return;
        request.GaveWayAt = generation;
        if (request is { IsHeld: true, IsHandedOn: false }
            && request.Queue.WaitingOf(answer.Waiter) is { } older && ComesAfter(request, older))
        {
            context.Statistics.ReservationsGivenWay++;
            request.Queue.GiveWay(request, older);
        }

        chains.TellWhenHeld(holder, new HeldPart(answer.At, answer.At + 1, generation, Waits: 1));
    }

    /// <summary>The one who asked may have left meanwhile, and come again without its place.</summary>
    private static bool ComesAfter(ReservationRequest holder, ReservationRequest waiting) =>
        holder.IsAfter(waiting, byAge: false) || holder.IsAfter(waiting, byAge: true);
}
