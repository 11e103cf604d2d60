using Polyjuice.Commit;
using Polyjuice.Diagnostics.Spans;
using Polyjuice.Hosting;
using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Execution;

// Reservations: queueing at all participants of an access set, in one global order, before the body runs.
internal sealed partial class TransactionEngine
{
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
        var agent = Begin(request, Paths.Root(request.Type, method), earlier, cancellationToken);
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
        if (grains is not null) Loading.Begin(transaction, agent.Reserving!, grains);
        else Chains.Begin(transaction, plan);
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
        StartBody(agent, Paths.Root(request.Type, method), body);
        return agent;
    }
}
