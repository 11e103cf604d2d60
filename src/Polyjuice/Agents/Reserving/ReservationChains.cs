using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Queues attempts at all participants of their access sets, in one global order, before their bodies run (Q4): the
/// chain goes from owner to owner, and the agent hears what is held.
/// </summary>
internal sealed class ReservationChains(
    ReservationQueues queues, EngineContext context, DeadNodes dead, Mail mail, KnownAgents agents, Timers timers,
    LogOwners logs, OwnedPartitions partitions, KnownOwners knownOwners, TransactionTable transactions,
    EndedTransactions ended, ReservationWithdrawals withdrawals, GrainLoading loading)
{
    public void Begin(LocalTransaction transaction, ReservationPlan plan) =>
        JoinQueues(
            transaction, plan, from: 0, at: 0, waits: 0, transaction.Reservations!.Reserving!.Generation,
            isSentHere: false);

    /// <summary>
    /// Joins the queues of this node's participants, and hands the rest on at once to whoever owns the next one,
    /// whether or not anything is held yet: one message for each run of partitions of one silo. So whoever comes
    /// after it here comes after it there too, as long as messages keep their order; and where it waits, it waits
    /// everywhere at the same time (where they don't: <see cref="GivingWay.Ask"/>). What nobody serves, as far as is
    /// known, is passed over; so is the first one if it has moved on since, so that every hop gets further. It ends
    /// where a grain is not active: nobody is to wait for that, so all is given back, and begun again when all of
    /// them are (<see cref="ReservedAttempts.BeginLoaded"/>).
    /// </summary>
    /// <param name="transaction">Who reserves.</param>
    /// <param name="plan">All of it.</param>
    /// <param name="from">From here on its agent has to be told of what is held.</param>
    /// <param name="at">From here on queues are to be joined.</param>
    /// <param name="waits">How often it did not hold what is between the two at once.</param>
    /// <param name="generation">
    /// How often it had given way when its agent sent this (<see cref="Reserving.Generation"/>).
    /// </param>
    /// <param name="isSentHere">Whether another node takes this one for the next owner.</param>
    private void JoinQueues(
        LocalTransaction transaction, ReservationPlan plan, int from, int at, int waits, int generation,
        bool isSentHere)
    {
        var reservations = transaction.Reservations!;
        reservations.Generation = Math.Max(reservations.Generation, generation);
        var isFirst = at == 0;
        var hasGap = false;
        for (; at < plan.Entries.Length; at++, isSentHere = false)
        {
            if (partitions.Owner(plan.Entries[at].Partition) is not { } owner)
            {
                var next = isSentHere ? NodeId.None : knownOwners.NodeOf(plan.Entries[at]);
                if ((isSentHere || next == context.Node) && !reservations.IsLoaded
                    && PartitionNames.IsRow(plan.Entries[at].Partition))
                {
                    loading.TellCold(transaction);
                    return;
                }

                if (next == NodeId.None || next == context.Node || dead.Contains(next))
                {
                    hasGap = true;
                    continue;
                }

                PassOn(transaction, plan, next, new HeldPart(from, at, generation, waits, hasGap));
                return;
            }

            if (!owner.TakesAccessesOf(transaction)) return;
            var participant = owner.GetParticipant(plan.Entries[at].Key);
            if (!participant.IsLoaded && !PartitionNames.IsRow(owner.Partition))
            {
                loading.TellCold(transaction);
                return;
            }

            if (reservations.Place == 0) reservations.Place = context.Clock.Tick();
            var request = participant.ReservationsOf(queues).JoinPlanned(transaction, plan.Entries[at], at, plan.View);
            if (transaction.IsDoomed || transaction.IsEnded) return;
            if (!request.IsHeld) waits++;
        }

        reservations.IsAllHere |= isFirst;
        TellWhenHeld(transaction, new HeldPart(from, at, generation, waits, hasGap));
    }

    /// <summary>
    /// Hands the rest of the chain on to whoever owns the next queue. What is held until here goes along, which
    /// spares its agent a message; of the rest it hears from this node.
    /// </summary>
    private void PassOn(LocalTransaction transaction, ReservationPlan plan, NodeId next, in HeldPart part)
    {
        var reservations = transaction.Reservations!;
        var isHeld = reservations.Waiting is null && !part.HasGap;
        mail.Send(next, new ReserveMessage
        {
            Transaction = transaction.Id,
            FirstAttempt = transaction.FirstAttempt,
            Plan = plan,
            JoinFrom = part.To,
            TellFrom = isHeld ? part.From : part.To,
            Waits = isHeld ? part.Waits : 0,
            Generation = part.Generation,
            Place = reservations.Place,
            IsLoaded = reservations.IsLoaded,
        });
        if (!isHeld) TellWhenHeld(transaction, part);
    }

    /// <summary>Tells the agent once all that is reserved here is held.</summary>
    public void TellWhenHeld(LocalTransaction transaction, in HeldPart part)
    {
        var reservations = transaction.Reservations!;
        if (reservations.Waiting is null) TellHeld(transaction, part);
        else reservations.TellLater(part);
    }

    /// <summary>A transaction has come to hold what it has waited for: its agent is told, if that was all.</summary>
    public void HoldsMore(LocalTransaction transaction)
    {
        if (transaction.Reservations is not { HasUntold: true, Waiting: null } reservations) return;
        var parts = reservations.TakeUntold();
        if (context.IsStopped || transaction.IsDoomed || transaction.IsSealed || transaction.IsEnded) return;
        foreach (var part in parts) TellHeld(transaction, part);
    }

    private void TellHeld(LocalTransaction transaction, in HeldPart part)
    {
        context.Events?.SaysHeld(transaction, part);
        if (transaction.Agent is { } agent) agent.Reserving?.Held(part);
        else
        {
            mail.Send(transaction.Id.Node, new HeldMessage
            {
                Transaction = transaction.Id,
                From = part.From,
                To = part.To,
                Generation = part.Generation,
                Waits = part.Waits,
                HasGap = part.HasGap,
            });
        }
    }

    public void OnReserve(in Message message)
    {
        if (HolderQuestion.Is(message)) TellAboutHolder(HolderQuestion.Read(message));
        else OnReserve(ReserveMessage.Read(message));
    }

    private void OnReserve(in ReserveMessage reserve)
    {
        var id = reserve.Transaction;
        if (reserve.Plan is not { } plan || (uint)reserve.JoinFrom >= (uint)plan.Entries.Length) return;
        if (dead.Contains(id.Node) || agents.IsAgentDone(id) || (id.Node == context.Node && !transactions.Knows(id)))
            return;
        if (!transactions.TryFind(id, out var transaction))
        {
            // What is over here must not come back as somebody who waits.
            if (!logs.TakeAccessesOf(id) || ended.HasEnded(id)) return;
            transaction = transactions.FindOrCreateShell(id, plan.Type);
            timers.EnsureTicking();
        }

        if (transaction.IsDoomed || transaction.IsSealed || transaction.IsEnded
            || transaction.Agent is { Reserving: null })
            return;

        // Its body has begun: a late message of the chain would have it hold what it does not count on.
        if (transaction.EnteredCalls is not null) return;
        if (transaction.FirstAttempt == 0) transaction.FirstAttempt = reserve.FirstAttempt;
        var reservations = transaction.Reservations ??= new();
        if (reservations.WasCutShort) return;
        if (reservations.Place == 0) reservations.Place = reserve.Place;
        reservations.IsPlanned = true;
        reservations.IsPartial = plan.IsPartial;
        reservations.IsLoaded |= reserve.IsLoaded;

        // Who has waited here for some time is asked again whether its queue moves. What comes after may be what was
        // lost, so that goes on too.
        if (reservations.Waiting is { } waiting)
        {
            if (waiting.Queue.MovedAt > waiting.ToldAt) TellMoved(id, waiting.ToldAt = waiting.Queue.MovedAt);
            else AskHolder(transaction, waiting);
        }

        JoinQueues(
            transaction, plan, reserve.TellFrom, reserve.JoinFrom, reserve.Waits, reserve.Generation, isSentHere: true);
    }

    public void OnReserved(in Message message)
    {
        if (!transactions.TryFind(message.Transaction, out var transaction)
            || transaction.Agent is not { Reserving: { } reserving } agent)
            return;
        if (HeldMessage.Is(message))
        {
            // Engines of before tell nothing before all is held, and then no range.
            var held = HeldMessage.Read(message);
            var to = held.To == 0 ? reserving.Plan.Entries.Length : held.To;
            reserving.Held(new HeldPart(held.From, to, held.Generation, held.Waits, held.HasGap));
        }
        else if (ColdGrainMessage.Is(message)) loading.FoundCold(agent);
        else
        {
            var moved = QueueMovedMessage.Read(message);
            reserving.MovedAt = Math.Max(reserving.MovedAt, context.Now - moved.MovedBefore);
        }
    }

    /// <summary>Tells an agent how long ago there was movement where its attempt waits.</summary>
    private void TellMoved(TransactionId id, long movedAt) =>
        mail.Send(id.Node, new QueueMovedMessage { Transaction = id, MovedBefore = context.Now - movedAt });

    /// <summary>
    /// A queue may stand because who holds it waits in another one, which moves: that counts as movement here too.
    /// The holder's agent tells the one of who waits. The time that has passed since goes along, so that of those who
    /// wait in a circle nobody takes the others' waiting for movement.
    /// </summary>
    private void AskHolder(LocalTransaction waiter, ReservationRequest waiting)
    {
        if (waiting.Holder is not { } holder) return;
        var question = new HolderQuestion { Waiter = waiter.Id, Holder = holder.Id };
        if (holder.Id.Node == context.Node) TellAboutHolder(question);
        else mail.Send(holder.Id.Node, question);
    }

    private void TellAboutHolder(in HolderQuestion question)
    {
        if (!transactions.TryFind(question.Holder, out var holder)
            || holder.Agent?.Reserving is not { IsOver: false } reserving)
            return;
        if (question.Waiter.Node != context.Node) TellMoved(question.Waiter, reserving.MovedAt);
        else if (transactions.TryFind(question.Waiter, out var waiter) && waiter.Agent?.Reserving is { } waiting)
            waiting.MovedAt = Math.Max(waiting.MovedAt, reserving.MovedAt);
    }

    /// <summary>
    /// Begins the chain (Q4) again, whose messages may be lost; and lets the body run without the rest when nothing
    /// moves where it waits. However long the queue is, as long as it moves it is worth waiting: who leaves it runs
    /// in an order that is nobody's, and makes others abort.
    /// </summary>
    public void Tick(AgentTransaction agent, long now)
    {
        if (agent.Reserving is not { IsOver: false } reserving) return;
        var transaction = agent.Transaction;
        var reservations = transaction.Reservations!;
        if (reservations.Waiting is { } waiting)
            reserving.MovedAt = Math.Max(reserving.MovedAt, waiting.Queue.MovedAt);
        if (now - reserving.MovedAt >= context.Options.ReservationTimeoutMicroseconds)
        {
            context.Statistics.ReservationTimeouts++;
            withdrawals.RunUnreserved(agent, keepsHeld: reserving.Loading is null);
        }
        else if (now - reserving.SentAt >= context.Options.ResendMicroseconds
            && context.Breaks != ProtocolBreaks.ReserveOnce)
        {
            reserving.SentAt = now;
            context.Events?.AsksToReserve(transaction, reserving.Plan);
            if (reserving.Loading is not null)
            {
                loading.Ask(transaction, reserving);
            }
            else
            {
                if (reservations.Waiting is { } standing) AskHolder(transaction, standing);
                Begin(transaction, reserving.Plan);
            }
        }

        if (!reserving.IsOver) context.Events?.StillReserves(transaction, now);
    }

    /// <summary>Where the chain of an attempt that reserves may wait: whom a probe for a cycle must ask too.</summary>
    public IEnumerable<NodeId> NodesOfChain(AgentTransaction agent)
    {
        if (agent.Reserving is not { IsOver: false } reserving) yield break;
        var last = NodeId.None;
        foreach (var entry in reserving.Plan.Entries)
        {
            var node = knownOwners.NodeOf(entry);
            if (node == last || node == context.Node || node == NodeId.None) continue;
            last = node;
            yield return node;
        }
    }
}
