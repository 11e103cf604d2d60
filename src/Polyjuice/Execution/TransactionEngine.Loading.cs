using Polyjuice.Commit;
using Polyjuice.Policies;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Execution;

// Loading: grains that are not active are activated before anything is reserved, because whoever reserves and then activates makes all wait for that who meet the transaction elsewhere.
internal sealed partial class TransactionEngine
{
    /// <summary>
    /// Begins the attempt that reserves, in the place of the one that had grains activated. Nobody has aborted that, so both count as one. It reserves what is hot by now: what was hot before would be in nobody's order any more.
    /// </summary>
    private AgentTransaction BeginLoaded(AgentTransaction agent, TransactionRequest request, GrainMethod method, ITransactionBody body, ReservationPlan? plan)
    {
        var earlier = agent.Transaction;
        Context.Statistics.Attempts--;
        earlier.Reservations!.IsGivenBack = true;
        agent.IsAdmitted = false;
        Aborts.AbortRunning(agent, new AbortInfo(AbortReason.Cancelled, request.Type));
        Finish(agent);
        if (plan is { IsPartial: true, IsLearned: true }) plan = Plans.HotPlanOfLearned(request, earlier.TypeId, body);
        else if (plan is { IsPartial: true }) plan = Plans.PlanOf(request.Type, earlier.TypeId, Plans.Known(request.AccessSet!.Of(body)), isHotOnly: true, isLearned: false);
        if (plan is null) return Start(request, method, body, earlier, agent.Cancellation);
        return BeginReserved(request, method, earlier, plan, grains: null, isLoaded: true, agent.Cancellation);
    }
}
