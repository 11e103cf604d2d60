using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Attempts that reserve what they are going to access before their bodies run.</summary>
internal sealed class ReservedAttempts(
    EngineContext context, KnownOwners knownOwners, PathTree paths, TypeLearning learning, AttemptSpans spans,
    AttemptAborts aborts, ReservationPlans plans, GrainLoading loading, ReservationChains chains, AttemptEnd attemptEnd,
    AttemptStarts starts)
{
    /// <summary>
    /// Begins an attempt, and to reserve what is planned; its body is begun when <see
    /// cref="AgentTransaction.Reserving"/> is over (<see cref="StartBody"/>).
    /// </summary>
    /// <param name="request">Type and bounds.</param>
    /// <param name="method">The root method.</param>
    /// <param name="earlier">The attempt or dry run before.</param>
    /// <param name="plan">What is reserved.</param>
    /// <param name="grains">
    /// What is activated, after which another attempt reserves in its place (<see cref="BeginLoaded"/>); <see
    /// langword="null"/> if this one reserves.
    /// </param>
    /// <param name="isLoaded">Whether that has been done.</param>
    /// <param name="cancellationToken">The caller's.</param>
    public AgentTransaction Begin(
        TransactionRequest request, GrainMethod method, LocalTransaction? earlier, ReservationPlan plan,
        ReservationPlan? grains, bool isLoaded, CancellationToken cancellationToken)
    {
        var agent = starts.Begin(request, paths.Root(request.Type, method), earlier, cancellationToken);
        var transaction = agent.Transaction;
        transaction.Reservations = new TransactionReservations
        {
            Plan = plan,
            IsPlanned = true,
            IsPartial = plan.IsPartial,
            Strays = earlier?.Reservations?.Strays ?? 0,
            IsMisdeclared = earlier?.Reservations?.IsMisdeclared ?? false,
            Reserving = new Reserving(plan, context.Now),
            BegunAt = context.Now,
            IsLoaded = isLoaded,
        };
        foreach (var entry in plan.Entries)
        {
            // Told of its end: that is what releases the reservations there, accessed or not.
            if (knownOwners.NodeOf(entry) is var node && node != NodeId.None && node != context.Node)
                transaction.Visit(node);
        }

        context.Events?.AsksToReserve(transaction, plan);
        if (grains is not null) loading.Begin(transaction, agent.Reserving!, grains);
        else chains.Begin(transaction, plan);
        return agent;
    }

    /// <summary>
    /// Begins the body of an attempt that has reserved, unless it was doomed meanwhile; or the attempt that reserves,
    /// in the place of one that had grains activated.
    /// </summary>
    public AgentTransaction StartBody(
        AgentTransaction agent, TransactionRequest request, GrainMethod method, ITransactionBody body)
    {
        var transaction = agent.Transaction;
        var reserving = agent.Reserving!;
        var reservations = transaction.Reservations!;
        reservations.Reserving = null;
        spans.Of(transaction)?.Add(SpanNames.Reserve, reservations.BegunAt, context.Now);
        if (transaction.IsDoomed || agent.IsComplete) return agent;
        if (reserving.IsLoaded) return BeginLoaded(agent, request, method, body, reserving.Plan);

        // Those who hold all may count on each other's order. This one does not: other silos hear it with its calls.
        reservations.WasCutShort |= reserving.HasGap;
        context.Statistics.Reservations++;
        // The chain has come to all of its grains, and they were active.
        if (reserving.Plan is { IsLearned: true, IsPartial: false } && !reservations.IsLoaded
            && transaction.IsAdmissionChosenHere)
            learning.NoteLoading(transaction.TypeId, hasLoaded: false);
        if (transaction.IsAdmissionChosenHere) learning.NoteReservation(transaction.TypeId, reserving.HasWaited);
        transaction.Start = context.Clock.Tick();
        context.Events?.Begins(transaction);
        starts.StartBody(agent, paths.Root(request.Type, method), body);
        return agent;
    }

    /// <summary>
    /// Begins the attempt that reserves, in the place of the one that had grains activated. Nobody has aborted that,
    /// so both count as one. It reserves what is hot by now: what was hot before would be in nobody's order any more.
    /// </summary>
    public AgentTransaction BeginLoaded(
        AgentTransaction agent, TransactionRequest request, GrainMethod method, ITransactionBody body,
        ReservationPlan? plan)
    {
        var earlier = agent.Transaction;
        context.Statistics.Attempts--;
        earlier.Reservations!.IsGivenBack = true;
        agent.IsAdmitted = false;
        aborts.AbortRunning(agent, new AbortInfo(AbortReason.Cancelled, request.Type));
        attemptEnd.Finish(agent);
        if (plan is { IsPartial: true, IsLearned: true }) plan = plans.HotPlanOfLearned(request, earlier.TypeId, body);
        else if (plan is { IsPartial: true })
            plan = plans.PlanOf(
                request.Type, earlier.TypeId, plans.Known(request.AccessSet!.Of(body)), isHotOnly: true,
                isLearned: false);
        if (plan is null) return starts.Start(request, method, body, earlier, agent.Cancellation);
        return Begin(request, method, earlier, plan, grains: null, isLoaded: true, agent.Cancellation);
    }
}
