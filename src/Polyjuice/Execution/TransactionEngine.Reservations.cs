using Polyjuice.Commit;
using Polyjuice.Diagnostics.Spans;
using Polyjuice.Hosting;
using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Execution;

// Reservations: queueing at all participants of an access set, in one global order, before the body runs.
internal sealed partial class TransactionEngine
{
    // What is known of a transaction that is being planned, and what it is to reserve: for one turn.
    private readonly List<KnownAccess> _known = [];
    private readonly List<PlannedReservation> _planned = [];

    /// <summary>The share of a type's latest reserved transactions here that accessed what they had not reserved; recent ones count most.</summary>
    /// <param name="type">The transaction type.</param>
    public double AccessSetMissShare(string type)
    {
        var types = Policies.Registry.Types;
        for (var id = 0; id < types.Count; id++)
        {
            if (types[id] == type) return Learning.AccessSetMisses(id);
        }

        return 0;
    }

    /// <summary>Begins an attempt, and to reserve what is planned; its body is begun when <see cref="AgentTransaction.Reserving"/> is over (<see cref="StartReservedBody"/>).</summary>
    /// <param name="request">Type and bounds.</param>
    /// <param name="method">The root method.</param>
    /// <param name="earlier">The attempt or dry run before.</param>
    /// <param name="plan">What is reserved.</param>
    /// <param name="grains">What is activated, after which another attempt reserves in its place (<see cref="BeginLoaded"/>); <see langword="null"/> if this one reserves.</param>
    /// <param name="isLoaded">Whether that has been done.</param>
    /// <param name="cancellationToken">The caller's.</param>
    private AgentTransaction BeginReserved(TransactionRequest request, GrainMethod method, LocalTransaction? earlier, ReservationPlan plan, ReservationPlan? grains, bool isLoaded, CancellationToken cancellationToken)
    {
        var agent = Begin(request, PathOf(request, method), earlier, cancellationToken);
        var transaction = agent.Transaction;
        transaction.Reservations = new TransactionReservations
        {
            Plan = plan, IsPlanned = true, IsPartial = plan.IsPartial, Strays = earlier?.Reservations?.Strays ?? 0, IsMisdeclared = earlier?.Reservations?.IsMisdeclared ?? false, Reserving = new Reserving(plan, Context.Now), BegunAt = Context.Now, IsLoaded = isLoaded,
        };
        foreach (var entry in plan.Entries)
        {
            // Told of its end: that is what releases the reservations there, accessed or not.
            if (KnownOwners.NodeOf(entry) is var node && node != NodeId.None && node != Context.Node) transaction.Visit(node);
        }

        Context.Events?.AsksToReserve(transaction, plan);
        if (grains is not null) BeginLoading(transaction, agent.Reserving!, grains);
        else BeginChain(transaction, plan);
        return agent;
    }

    /// <summary>Begins the body of an attempt that has reserved, unless it was doomed meanwhile; or the attempt that reserves, in the place of one that had grains activated.</summary>
    private AgentTransaction StartReservedBody(AgentTransaction agent, TransactionRequest request, GrainMethod method, ITransactionBody body)
    {
        var transaction = agent.Transaction;
        var reserving = agent.Reserving!;
        transaction.Reservations!.Reserving = null;
        Spans.Of(transaction)?.Add(SpanNames.Reserve, transaction.Reservations.BegunAt, Context.Now);
        if (transaction.IsDoomed || agent.IsComplete) return agent;
        if (reserving.IsLoaded) return BeginLoaded(agent, request, method, body, reserving.Plan);

        // Those who hold all may count on each other's order. This one does not: other silos hear it with its calls.
        transaction.Reservations.WasCutShort |= reserving.HasGap;
        Context.Statistics.Reservations++;
        // The chain has come to all of its grains, and they were active.
        if (reserving.Plan is { IsLearned: true, IsPartial: false } && !transaction.Reservations.IsLoaded && transaction.IsAdmissionChosenHere) Learning.NoteLoading(transaction.TypeId, hasLoaded: false);
        if (transaction.IsAdmissionChosenHere) Learning.NoteReservation(transaction.TypeId, reserving.HasWaited);
        transaction.Start = Context.Clock.Tick();
        Context.Events?.Begins(transaction);
        StartBody(agent, PathOf(request, method), body);
        return agent;
    }

    /// <summary>What a dry run has accessed. Of one that did not end well nobody knows how much was to come.</summary>
    private ReservationPlan? PlanOf(LocalTransaction dry, bool isWhole)
    {
        var set = dry.DryRun!.Accesses;
        if (set.IsFull) return null;
        var handsOn = isWhole && HandsOn(dry.TypeId);
        _planned.Clear();
        foreach (var entry in set.Entries) _planned.Add(new PlannedReservation(entry.Partition, entry.Key, entry.Updates, handsOn ? entry.Count : 0));
        return ReservationPlan.Of(dry.Type, _planned, KnownOwners.InOrder());
    }

    /// <summary>What is declared, for <see cref="PlanOf(string, int, List{KnownAccess}, bool, bool)"/>.</summary>
    private List<KnownAccess> Known(IReadOnlyList<DeclaredAccess> set)
    {
        _known.Clear();
        foreach (var access in set) _known.Add(new KnownAccess(access.Key, access.IsRow, access.Updates, Accesses: 1));
        return _known;
    }

    private int NumberIn(in KnownAccess access) => access.IsRow ? Rows.NumberOf(access.Key) : Logs.PartitionOf(access.Key);

    /// <summary>What is known without a dry run of the transaction; or what of it is hot.</summary>
    private ReservationPlan? PlanOf(string type, int typeId, List<KnownAccess> set, bool isHotOnly, bool isLearned)
    {
        if (set.Count >= AccessSet.EntriesMax) return null;
        var handsOn = HandsOn(typeId);
        _planned.Clear();
        foreach (var access in set)
        {
            if (!isHotOnly || Hot.Contains(access.Key)) _planned.Add(new PlannedReservation(NumberIn(access), access.Key, access.Updates, handsOn ? Math.Max(0, access.Accesses) : 0));
        }

        return ReservationPlan.Of(type, _planned, KnownOwners.InOrder(), isPartial: _planned.Count < set.Count, isLearned);
    }

    private bool HandsOn(int typeId) => Learning.KeptInARow(typeId) >= Context.Options.HandOnAfterKept && Context.Options.HandOnAfterKept != int.MaxValue;

    private void BeginChain(LocalTransaction transaction, ReservationPlan plan) =>
        JoinQueues(transaction, plan, from: 0, at: 0, waits: 0, transaction.Reservations!.Reserving!.Generation, isSentHere: false);

    /// <summary>
    /// Joins the queues of this node's participants, and hands the rest on at once to whoever owns the next one, whether or not anything is held yet: one message for each run of partitions of one silo. So whoever comes after it here comes after
    /// it there too, as long as messages keep their order; and where it waits, it waits everywhere at the same time (where they don't: <see cref="AskToGiveWay"/>). What nobody serves, as far as is known, is passed over; so is the first one if it
    /// has moved on since, so that every hop gets further. It ends where a grain is not active: nobody is to wait for that, so all is given back, and begun again when all of them are (<see cref="BeginLoaded"/>).
    /// </summary>
    /// <param name="transaction">Who reserves.</param>
    /// <param name="plan">All of it.</param>
    /// <param name="from">From here on its agent has to be told of what is held.</param>
    /// <param name="at">From here on queues are to be joined.</param>
    /// <param name="waits">How often it did not hold what is between the two at once.</param>
    /// <param name="generation">How often it had given way when its agent sent this (<see cref="Reserving.Generation"/>).</param>
    /// <param name="isSentHere">Whether another node takes this one for the next owner.</param>
    private void JoinQueues(LocalTransaction transaction, ReservationPlan plan, int from, int at, int waits, int generation, bool isSentHere)
    {
        var reservations = transaction.Reservations!;
        reservations.Generation = Math.Max(reservations.Generation, generation);
        var isFirst = at == 0;
        var hasGap = false;
        for (; at < plan.Entries.Length; at++, isSentHere = false)
        {
            if (Partitions.Owner(plan.Entries[at].Partition) is not { } owner)
            {
                var next = isSentHere ? NodeId.None : KnownOwners.NodeOf(plan.Entries[at]);
                if ((isSentHere || next == Context.Node) && !reservations.IsLoaded && PartitionNames.IsRow(plan.Entries[at].Partition))
                {
                    TellCold(transaction);
                    return;
                }

                if (next == NodeId.None || next == Context.Node || Dead.Contains(next))
                {
                    hasGap = true;
                    continue;
                }

                // What is held until here goes along, which spares its agent a message; of the rest it hears from this node.
                var isHeld = reservations.Waiting is null && !hasGap;
                Mail.Send(next, new Message
                {
                    Kind = MessageKind.Reserve, Transaction = transaction.Id, Timestamp = transaction.FirstAttempt, Count = at, Epoch = isHeld ? from : at, ManagerEpoch = generation, Plan = plan, Round = isHeld ? waits : 0,
                    Other = new TransactionId(NodeId.None, reservations.Place), Flags = reservations.IsLoaded ? MessageFlags.IsLoaded : MessageFlags.None,
                });
                if (!isHeld) TellWhenHeld(transaction, new HeldPart(from, at, generation, waits, hasGap));
                return;
            }

            if (!owner.TakesAccessesOf(transaction)) return;
            var participant = owner.GetParticipant(plan.Entries[at].Key);
            if (!participant.IsLoaded && !PartitionNames.IsRow(owner.Partition))
            {
                TellCold(transaction);
                return;
            }

            if (reservations.Place == 0) reservations.Place = Context.Clock.Tick();
            var request = participant.ReservationsOf(this).JoinPlanned(transaction, plan.Entries[at], at, plan.View);
            if (transaction.IsDoomed || transaction.IsEnded) return;
            if (!request.IsHeld) waits++;
        }

        reservations.IsAllHere |= isFirst;
        TellWhenHeld(transaction, new HeldPart(from, at, generation, waits, hasGap));
    }

    /// <summary>Tells the agent once all that is reserved here is held.</summary>
    private void TellWhenHeld(LocalTransaction transaction, in HeldPart part)
    {
        if (transaction.Reservations!.Waiting is null) TellHeld(transaction, part);
        else transaction.Reservations.TellLater(part);
    }

    /// <summary>A transaction has come to hold what it has waited for: its agent is told, if that was all.</summary>
    internal void HoldsMore(LocalTransaction transaction)
    {
        if (transaction.Reservations is not { HasUntold: true, Waiting: null } reservations) return;
        var parts = reservations.TakeUntold();
        if (Context.IsStopped || transaction.IsDoomed || transaction.IsSealed || transaction.IsEnded) return;
        foreach (var part in parts) TellHeld(transaction, part);
    }

    private void TellHeld(LocalTransaction transaction, in HeldPart part)
    {
        Context.Events?.SaysHeld(transaction, part);
        if (transaction.Agent is { } agent) agent.Reserving?.Held(part);
        else
        {
            Mail.Send(transaction.Id.Node, new Message
            {
                Kind = MessageKind.Reserved,
                Transaction = transaction.Id,
                Epoch = part.From,
                Count = part.To,
                ManagerEpoch = part.Generation,
                Round = part.Waits,
                Flags = MessageFlags.Final | (part.HasGap ? MessageFlags.HasGap : MessageFlags.None),
            });
        }
    }

    private void OnReserve(in Message message)
    {
        if (message.Has(MessageFlags.Asks))
        {
            TellAboutHolder(message);
            return;
        }

        var id = message.Transaction;
        if (message.Plan is not { } plan || (uint)message.Count >= (uint)plan.Entries.Length) return;
        if (Dead.Contains(id.Node) || Agents.IsAgentDone(id) || (id.Node == Context.Node && !Transactions.Knows(id))) return;
        if (!Transactions.TryFind(id, out var transaction))
        {
            // What is over here must not come back as somebody who waits.
            if (!Logs.TakeAccessesOf(id) || Ended.HasEnded(id)) return;
            transaction = Transactions.FindOrCreateShell(id, plan.Type);
            Timers.EnsureTicking();
        }

        if (transaction.IsDoomed || transaction.IsSealed || transaction.IsEnded || transaction.Agent is { Reserving: null }) return;

        // Its body has begun: a late message of the chain would have it hold what it does not count on.
        if (transaction.EnteredCalls is not null) return;
        if (transaction.FirstAttempt == 0) transaction.FirstAttempt = message.Timestamp;
        var reservations = transaction.Reservations ??= new();
        if (reservations.WasCutShort) return;
        if (reservations.Place == 0) reservations.Place = message.Other.Sequence;
        reservations.IsPlanned = true;
        reservations.IsPartial = plan.IsPartial;
        reservations.IsLoaded |= message.Has(MessageFlags.IsLoaded);

        // Who has waited here for some time is asked again whether its queue moves. What comes after may be what was lost, so that goes on too.
        if (reservations.Waiting is { } waiting)
        {
            if (waiting.Queue.MovedAt > waiting.ToldAt) TellMoved(id, waiting.ToldAt = waiting.Queue.MovedAt);
            else AskHolder(transaction, waiting);
        }

        JoinQueues(transaction, plan, (int)message.Epoch, message.Count, message.Round, (int)message.ManagerEpoch, isSentHere: true);
    }

    private void OnReserved(in Message message)
    {
        // Engines of before tell nothing before all is held, and then no range.
        if (!Transactions.TryFind(message.Transaction, out var transaction) || transaction.Agent?.Reserving is not { } reserving) return;
        if (message.Has(MessageFlags.Final))
        {
            var to = message.Count == 0 ? reserving.Plan.Entries.Length : message.Count;
            reserving.Held(new HeldPart(
                (int)message.Epoch, to, (int)message.ManagerEpoch, message.Round, message.Has(MessageFlags.HasGap)));
        }
        else if (message.Has(MessageFlags.Unknown)) FoundCold(transaction.Agent);
        else reserving.MovedAt = Math.Max(reserving.MovedAt, Context.Now - message.Timestamp);
    }

    /// <summary>Tells an agent how long ago there was movement where its attempt waits.</summary>
    private void TellMoved(TransactionId id, long movedAt) => Mail.Send(id.Node, new Message { Kind = MessageKind.Reserved, Transaction = id, Timestamp = Context.Now - movedAt });

    /// <summary>
    /// A queue may stand because who holds it waits in another one, which moves: that counts as movement here too. The holder's agent tells the one of who waits. The time that has passed since goes along, so that of those who wait in a circle
    /// nobody takes the others' waiting for movement.
    /// </summary>
    private void AskHolder(LocalTransaction waiter, ReservationRequest waiting)
    {
        if (waiting.Holder is not { } holder) return;
        var question = new Message { Kind = MessageKind.Reserve, Flags = MessageFlags.Asks, Transaction = waiter.Id, Other = holder.Id };
        if (holder.Id.Node == Context.Node) TellAboutHolder(question);
        else Mail.Send(holder.Id.Node, question);
    }

    private void TellAboutHolder(in Message question)
    {
        if (!Transactions.TryFind(question.Other, out var holder) || holder.Agent?.Reserving is not { IsOver: false } reserving) return;
        if (question.Transaction.Node != Context.Node) TellMoved(question.Transaction, reserving.MovedAt);
        else if (Transactions.TryFind(question.Transaction, out var waiter) && waiter.Agent?.Reserving is { } waiting) waiting.MovedAt = Math.Max(waiting.MovedAt, reserving.MovedAt);
    }

    /// <summary>The body runs without what its attempt does not hold yet, or without any of it.</summary>
    private void RunUnreserved(AgentTransaction agent, bool keepsHeld)
    {
        if (agent.Reserving is not { IsOver: false } reserving) return;
        GiveBack(agent, keepsHeld);
        reserving.Stop();
    }

    /// <summary>Leaves the queues where the attempt waits, or all of them.</summary>
    private void GiveBack(AgentTransaction agent, bool keepsHeld)
    {
        var transaction = agent.Transaction;
        Withdraw(transaction.Reservations!, keepsHeld);
        Mail.SendToVisited(transaction, new Message { Kind = MessageKind.Withdraw, Transaction = transaction.Id, Flags = keepsHeld ? MessageFlags.None : MessageFlags.Final });
    }

    private void OnWithdraw(in Message message)
    {
        if (Transactions.TryFind(message.Transaction, out var transaction) && transaction.Reservations is { } reservations) Withdraw(reservations, keepsHeld: !message.Has(MessageFlags.Final));
    }

    private static void Withdraw(TransactionReservations reservations, bool keepsHeld)
    {
        reservations.WasCutShort = true;
        if (keepsHeld) reservations.StopWaiting();
        else reservations.ReleaseAll();
    }

    /// <summary>
    /// Begins the chain (Q4) again, whose messages may be lost; and lets the body run without the rest when nothing moves where it waits. However long the queue is, as long as it moves it is worth waiting: who leaves it runs in an order that is
    /// nobody's, and makes others abort.
    /// </summary>
    private void TickReserving(AgentTransaction agent, long now)
    {
        if (agent.Reserving is not { IsOver: false } reserving) return;
        var transaction = agent.Transaction;
        if (transaction.Reservations!.Waiting is { } waiting) reserving.MovedAt = Math.Max(reserving.MovedAt, waiting.Queue.MovedAt);
        if (now - reserving.MovedAt >= Context.Options.ReservationTimeoutMicroseconds)
        {
            Context.Statistics.ReservationTimeouts++;
            RunUnreserved(agent, keepsHeld: reserving.Loading is null);
        }
        else if (now - reserving.SentAt >= Context.Options.ResendMicroseconds && Context.Breaks != ProtocolBreaks.ReserveOnce)
        {
            reserving.SentAt = now;
            Context.Events?.AsksToReserve(transaction, reserving.Plan);
            if (reserving.Loading is not null)
            {
                AskToLoad(transaction, reserving);
            }
            else
            {
                if (transaction.Reservations.Waiting is { } standing) AskHolder(transaction, standing);
                BeginChain(transaction, reserving.Plan);
            }
        }

        if (!reserving.IsOver) Context.Events?.StillReserves(transaction, now);
    }

    /// <summary>The attempt is over: counts whether it kept to its plan. Who committed without an access has told nobody yet.</summary>
    private void EndReservations(AgentTransaction agent)
    {
        var transaction = agent.Transaction;
        var plan = transaction.Reservations?.Plan;
        if (transaction.DryRun is null && transaction.Reservations is not { IsGivenBack: true } && transaction.IsAdmissionChosenHere)
        {
            OpenTime.CountOpenTime();
            Learning.NoteAttempt(transaction.TypeId, agent.Result?.Reason ?? AbortReason.None, transaction.AccessNumber, transaction.HasLoaded, isReserved: plan is not null, Context.Statistics.OpenMicroseconds, Context.Now);
        }

        if (transaction.Reservations is not { } reservations || plan is null) return;
        if (agent.Result is { } abort)
        {
            if (reservations.HasHandedOn && !abort.Reason.IsConflict()) Learning.NoteBroken(transaction.TypeId);
            if (abort.Reason != AbortReason.AccessSetMiss) return;
            Context.Statistics.AccessSetMisses++;
            NoteAccessSet(transaction, plan, differs: true);
            return;
        }

        if (agent.Parts.Length == 0) Mail.SendToVisited(transaction, new Message { Kind = MessageKind.Sealed, Transaction = transaction.Id });
        if (reservations.WasCutShort) return;
        if (reservations.Differs) Context.Statistics.AccessSetMisses++;
        NoteAccessSet(transaction, plan, reservations.Differs);
    }

    /// <summary>Where the chain of an attempt that reserves may wait: whom a probe for a cycle must ask too.</summary>
    internal IEnumerable<NodeId> NodesOfChain(AgentTransaction agent)
    {
        if (agent.Reserving is not { IsOver: false } reserving) yield break;
        var last = NodeId.None;
        foreach (var entry in reserving.Plan.Entries)
        {
            var node = KnownOwners.NodeOf(entry);
            if (node == last || node == Context.Node || node == NodeId.None) continue;
            last = node;
            yield return node;
        }
    }
}
