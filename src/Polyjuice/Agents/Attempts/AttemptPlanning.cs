using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Finds out what a transaction is going to access, and begins an attempt by that.</summary>
internal sealed class AttemptPlanning(
    AbortExceptions exceptions, PathTree paths, TablesInForce tables, LearnedAccessSets learnedSets,
    AdmissionChoice admissionChoice, ReservationPlans plans, AttemptStarts starts, DryRuns dryRuns,
    ReservedAttempts reservedAttempts)
{
    private const int StraysMax = 3;

    public async ValueTask<AgentTransaction> PlanAsync(
        PolicyAdmission admission, TransactionRequest request, GrainMethod method, ITransactionBody body,
        LocalTransaction? earlier, CancellationToken cancellationToken)
    {
        var dry = earlier;
        ReservationPlan? plan, grains = null;
        if (admission == PolicyAdmission.DeclaredReserve)
        {
            var typeId = paths.Root(request.Type, method).TypeId;
            var set = plans.Known(request.AccessSet!.Of(body));
            plan = plans.PlanOf(request.Type, typeId, set, isHotOnly: tables.IsChosenHere(typeId), isLearned: false);
            grains = plans.GrainsToLoad(set, plan, typeId);
        }
        else
        {
            if (admission == PolicyAdmission.Run)
                return starts.Start(request, method, body, earlier, cancellationToken);
            var path = paths.Root(request.Type, method);
            (plan, var isToCheck) = (null, true);
            var isKnown = admission == PolicyAdmission.DryRunReserve
                && plans.TryPlanLearned(request, path.TypeId, body, earlier, out plan, out grains, out isToCheck);
            if (!isKnown || isToCheck)
            {
                dry = await dryRuns.RunAsync(request, path, body, earlier, cancellationToken);
                if (learnedSets.Learns(request)) learnedSets.Learn(dry, request.CallKeys!, body);
            }

            if (!isKnown && admission == PolicyAdmission.DryRunReserve)
                plan = plans.PlanOf(dry!, isWhole: dry!.DryRun!.IsWhole);
        }

        exceptions.RefuseIfStopped(request, attempts: 1);
        return plan is null
            ? starts.Start(request, method, body, dry, cancellationToken)
            : reservedAttempts.Begin(request, method, dry, plan, grains, isLoaded: false, cancellationToken);
    }

    /// <summary>
    /// Begins a further attempt. It reserves what the one before did, unless that strayed from it, or it was what was
    /// hot then, or had reserved nothing and its type does by now: then it is found out anew what it accesses. After
    /// a few that strayed it runs without, because what it accesses changes faster than it can be found out.
    /// </summary>
    /// <returns>
    /// The attempt, or <see langword="null"/> if it is to be planned first (<see cref="PlanAgain"/>).
    /// </returns>
    public AgentTransaction? Again(
        AgentTransaction agent, TransactionRequest request, GrainMethod method, ITransactionBody body)
    {
        var (earlier, cancellationToken) = (agent.Transaction, agent.Cancellation);
        var reservations = earlier.Reservations;

        // An owner that has changed takes reservations with it; and a call that comes to where its attempt was just
        // doomed is told no more than that.
        var isMiss = agent.Result!.Reason == AbortReason.AccessSetMiss || reservations is { Differs: true };
        if (isMiss || agent.Result.Reason is AbortReason.OwnerChanged or AbortReason.AttemptEnded)
        {
            (reservations ??= earlier.Reservations = new()).Strays++;
            reservations.IsMisdeclared |= isMiss;
        }
        else if (reservations?.Plan is { IsPartial: false } plan)
            return reservedAttempts.Begin(
                request, method, earlier, plan, grains: null, isLoaded: false, cancellationToken);
        return reservations is not { Strays: > StraysMax }
            && admissionChoice.AdmissionOf(request, method, IsDeclared(request, earlier))
                is PolicyAdmission.DryRunReserve or PolicyAdmission.DeclaredReserve
            ? null
            : starts.Start(request, method, body, earlier, cancellationToken);
    }

    public async Task PlanAgain(
        AgentTransaction agent, TransactionRequest request, GrainMethod method, ITransactionBody body)
    {
        var reservations = agent.Transaction.Reservations ??= new();
        reservations.Next = await PlanAsync(
            admissionChoice.AdmissionOf(request, method, IsDeclared(request, agent.Transaction)), request, method, body,
            agent.Transaction, agent.Cancellation);
    }

    private static bool IsDeclared(TransactionRequest request, LocalTransaction earlier) =>
        request.AccessSet is not null && earlier.Reservations is not { IsMisdeclared: true };
}
