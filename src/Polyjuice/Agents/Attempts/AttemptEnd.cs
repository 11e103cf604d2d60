using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Versions;

namespace Polyjuice.Agents;

/// <summary>The last step of an attempt: its caller is being told.</summary>
internal sealed class AttemptEnd(
    LiveAttempts live, AbortExceptions exceptions, AttemptSpans spans, AttemptAdmission admissions,
    CancellationInbox<AgentTransaction> cancellations, Lifecycle lifecycle, TransactionProgress progress,
    ReservationCounts reservationCounts)
{
    /// <summary>The caller is being told: the attempt is no longer live.</summary>
    public void Finish(AgentTransaction agent)
    {
        agent.State = AgentState.Done;
        if (spans.Any) spans.End(agent, exceptions.IsDeclined(agent.Result, agent.Failure));
        reservationCounts.Ended(agent);
        live.Remove(agent);
        var transaction = agent.Transaction;
        cancellations.Forget(agent);
        admissions.Leave(agent, agent.Result?.Reason ?? AbortReason.None);
        transaction.Agent = null;
        transaction.Progress = int.MaxValue - 2;
        if (agent.Result is null) lifecycle.Seal(transaction);
        progress.TellSubscribersEnd(transaction);

        // A participant here may still have to hear the outcome; then it ends the transaction.
        var isUndecided = false;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
            isUndecided |= branch.State is BranchState.Ordered or BranchState.Logged && branch.WillLog;
        if (!isUndecided) lifecycle.End(transaction, aborted: agent.Result is not null);
        lifecycle.ForgetIfIdle(transaction);
    }
}
