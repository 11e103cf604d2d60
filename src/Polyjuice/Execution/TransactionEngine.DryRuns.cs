using Polyjuice.Commit;
using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Execution;

// Dry runs: the body is run once to find out what it accesses, and to have it loaded.
internal sealed partial class TransactionEngine
{
    private const int StraysMax = 3;

    /// <summary>Of the dry run that ended last here; for tests.</summary>
    internal AccessSet? LastAccessSet { get; private set; }

    /// <summary>Finds out what a transaction is going to access, and then runs its attempts.</summary>
    private Task RunPlanned(PolicyAdmission admission, TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken)
    {
        // Most are planned at once, and need nothing that waits for that.
        var planned = PlanAsync(admission, request, method, body, earlier: null, cancellationToken);
        return planned.IsCompletedSuccessfully ? RunAttempts(planned.Result, request, method, body, cancellationToken) : RunWhenPlanned(planned, request, method, body, cancellationToken);
    }

    private async Task RunWhenPlanned(ValueTask<AgentTransaction> planned, TransactionRequest request, GrainMethod method, ITransactionBody body, CancellationToken cancellationToken)
    {
        AgentTransaction agent;
        try
        {
            agent = await planned;
        }
        catch (Exception exception)
        {
            OpenTime.Completed(request, body, exception);
            return;
        }

        await RunAttempts(agent, request, method, body, cancellationToken);
    }

    /// <summary>
    /// Begins a further attempt. It reserves what the one before did, unless that strayed from it, or it was what was hot then, or had reserved nothing and its type does by now: then it is found out anew what it accesses. After a few that strayed it runs without,
    /// because what it accesses changes faster than it can be found out.
    /// </summary>
    /// <returns>The attempt, or <see langword="null"/> if it is to be planned first (<see cref="PlanAgain"/>).</returns>
    private AgentTransaction? Again(AgentTransaction agent, TransactionRequest request, GrainMethod method, ITransactionBody body)
    {
        var (earlier, cancellationToken) = (agent.Transaction, agent.Cancellation);
        var reservations = earlier.Reservations;

        // An owner that has changed takes reservations with it; and a call that comes to where its attempt was just doomed is told no more than that.
        var isMiss = agent.Result!.Reason == AbortReason.AccessSetMiss || reservations is { Differs: true };
        if (isMiss || agent.Result.Reason is AbortReason.OwnerChanged or AbortReason.AttemptEnded)
        {
            (reservations ??= earlier.Reservations = new()).Strays++;
            reservations.IsMisdeclared |= isMiss;
        }
        else if (reservations?.Plan is { IsPartial: false } plan) return BeginReserved(request, method, earlier, plan, grains: null, isLoaded: false, cancellationToken);
        return reservations is not { Strays: > StraysMax } && AdmissionChoice.AdmissionOf(request, method, IsDeclared(request, earlier)) is PolicyAdmission.DryRunReserve or PolicyAdmission.DeclaredReserve
            ? null
            : Start(request, method, body, earlier, cancellationToken);
    }

    private async Task PlanAgain(AgentTransaction agent, TransactionRequest request, GrainMethod method, ITransactionBody body)
    {
        var reservations = agent.Transaction.Reservations ??= new();
        reservations.Next = await PlanAsync(AdmissionChoice.AdmissionOf(request, method, IsDeclared(request, agent.Transaction)), request, method, body, agent.Transaction, agent.Cancellation);
    }

    private static bool IsDeclared(TransactionRequest request, LocalTransaction earlier) => request.AccessSet is not null && earlier.Reservations is not { IsMisdeclared: true };

    private async ValueTask<AgentTransaction> PlanAsync(
        PolicyAdmission admission, TransactionRequest request, GrainMethod method, ITransactionBody body, LocalTransaction? earlier, CancellationToken cancellationToken)
    {
        var dry = earlier;
        ReservationPlan? plan, grains = null;
        if (admission == PolicyAdmission.DeclaredReserve)
        {
            var typeId = Paths.Root(request.Type, method).TypeId;
            var set = Plans.Known(request.AccessSet!.Of(body));
            plan = Plans.PlanOf(request.Type, typeId, set, isHotOnly: Tables.IsChosenHere(typeId), isLearned: false);
            grains = Plans.GrainsToLoad(set, plan, typeId);
        }
        else
        {
            if (admission == PolicyAdmission.Run) return Start(request, method, body, earlier, cancellationToken);
            var path = Paths.Root(request.Type, method);
            (plan, var isToCheck) = (null, true);
            var isKnown = admission == PolicyAdmission.DryRunReserve && Plans.TryPlanLearned(request, path.TypeId, body, earlier, out plan, out grains, out isToCheck);
            if (!isKnown || isToCheck)
            {
                dry = await RunDryAsync(request, path, body, earlier, cancellationToken);
                if (Learned.Learns(request)) Learned.Learn(dry, request.CallKeys!, body);
            }

            if (!isKnown && admission == PolicyAdmission.DryRunReserve) plan = Plans.PlanOf(dry!, isWhole: dry!.DryRun!.IsWhole);
        }

        Exceptions.RefuseIfStopped(request, attempts: 1);
        return plan is null ? Start(request, method, body, dry, cancellationToken) : BeginReserved(request, method, dry, plan, grains, isLoaded: false, cancellationToken);
    }

    /// <summary>Runs the body dry. However it ends, what it has accessed until then is what is known.</summary>
    private async Task<LocalTransaction> RunDryAsync(TransactionRequest request, PathNode path, ITransactionBody body, LocalTransaction? earlier, CancellationToken cancellationToken)
    {
        var deadline = earlier?.Deadline ?? Context.Now + TimeoutOf(request);
        var transaction = new LocalTransaction(new TransactionId(Context.Node, Live.NextNumber()), request.Type, path.TypeId, Tables.Current)
        {
            Start = Context.Clock.Tick(),
            Deadline = Math.Min(deadline, Context.Now + Context.Options.DryRunTimeoutMicroseconds),
            Reservations = new TransactionReservations { DryRun = new DryRun(), Strays = earlier?.Reservations?.Strays ?? 0, IsMisdeclared = earlier?.Reservations?.IsMisdeclared ?? false },
        };
        transaction.FirstAttempt = earlier?.FirstAttempt ?? transaction.Start;
        Context.Statistics.DryRuns++;
        var agent = Enlist(transaction, cancellationToken);
        Spans.Begin(request, transaction);
        StartBody(agent, path, body);
        if (agent.Watch is { } watch)
        {
            await watch.Over;
            agent.Watch = null;
            watch.TryExit(out agent.Failure);
        }

        if (transaction.IsAdmissionChosenHere) Learning.NoteLoading(transaction.TypeId, transaction.HasLoaded);
        transaction.DryRun!.IsWhole = agent.Failure is null && !transaction.IsDoomed;
        Mail.SendToVisited(transaction, new Message { Kind = MessageKind.DryRunEnded, Transaction = transaction.Id });
        agent.Complete(new AbortInfo(AbortReason.Cancelled, request.Type));
        Finish(agent);
        LastAccessSet = transaction.DryRun!.Accesses;

        // Age and time count from here on, whatever the dry run took.
        transaction.Deadline = deadline;
        return transaction;
    }

    /// <summary>Whether a dry run of another node's agent has had its time, as far as clocks agree. Its agent's word may have been lost.</summary>
    private long DryRunOverAt(LocalTransaction transaction) =>
        transaction.Deadline + Context.Options.MaxClockSkewMicroseconds + 1;

    private void OnDryRunEnded(TransactionId id)
    {
        if (Transactions.TryFind(id, out var transaction) && transaction is { Agent: null, DryRun: not null }) Lifecycle.End(transaction, aborted: true);
    }
}
