using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Looks at a transaction when something about it is due.</summary>
internal sealed class TransactionLooks(
    EngineContext context, KnownAgents agents, CancellationInbox<AgentTransaction> cancellations, DueLooks dueLooks,
    Lifecycle lifecycle, AttemptAborts aborts, CommitOutcomes outcomes, CommitRounds rounds, ReservationChains chains,
    DryRuns dryRuns)
{
    public void Tick(long now)
    {
        while (cancellations.TryTake(out var agent))
        {
            if (agent.State == AgentState.Running) aborts.GiveUp(agent, AbortReason.Cancelled);
        }

        dueLooks.Tick(now);
    }

    /// <summary>
    /// Says when it is to be looked at again. Its agent, or what of it is left here, comes first; then its branches.
    /// </summary>
    public long Look(LocalTransaction transaction, long now)
    {
        var due = DueWheel<LocalTransaction>.Never;
        if (transaction.Agent is { } agent)
        {
            TickAgent(agent, now);
            due = NextLookAt(agent, now);
        }
        else if (transaction.IsKnown)
        {
            due = LookAtShell(transaction, now);
        }

        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
            due = Math.Min(due, branch.Owner.Look(branch, now));
        if (transaction.IsAtRest) return DueWheel<LocalTransaction>.Never;
        if (!transaction.AwaitsAgent && !agents.IsAgentDone(transaction.Id)) dueLooks.AwaitAgent(transaction);
        return due;
    }

    /// <summary>
    /// One whose agent is elsewhere, or has told its caller: what is known here only because someone asked about it
    /// is forgotten when the agent is past it.
    /// </summary>
    private long LookAtShell(LocalTransaction transaction, long now)
    {
        var overAt = transaction.DryRun is null ? DueWheel<LocalTransaction>.Never : dryRuns.OverAt(transaction);
        if (now >= overAt)
        {
            lifecycle.End(transaction, aborted: true);
            return now + context.Options.ResendMicroseconds;
        }

        if (!agents.IsAgentDone(transaction.Id)) return overAt;
        var isUndecided = false;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
            isUndecided |= branch.IsUndecided && branch.Owner.IsActive;
        if (!isUndecided) lifecycle.End(transaction);
        else lifecycle.Seal(transaction);

        // A body of it may still run here.
        return now + context.Options.ResendMicroseconds;
    }

    private void TickAgent(AgentTransaction agent, long now)
    {
        if (agent.Reserving is not null) chains.Tick(agent, now);
        switch (agent.State)
        {
            case AgentState.Running when agent.Cancellation.IsCancellationRequested:
                aborts.GiveUp(agent, AbortReason.Cancelled);
                break;
            case AgentState.Running when now >= agent.Transaction.Deadline:
                aborts.GiveUp(agent, AbortReason.Timeout);
                break;
            case AgentState.Preparing when HasPreparedTooLong(agent, now):
                outcomes.AbortPrepared(agent, new AbortInfo(AbortReason.ManagerAbort, agent.Transaction.Type)
                {
                    LogFailure = outcomes.LogFailureOf(agent),
                });
                break;
            case AgentState.Preparing or AgentState.Sealed
                when now - agent.Touched >= context.Options.ResendMicroseconds:
                agent.Touched = now;
                rounds.Remind(agent);
                break;
            case AgentState.Aborting when now >= InDoubtAt(agent) || IsHeldUpByLog(agent, now):
                aborts.Complete(agent, new AbortInfo(AbortReason.InDoubt, agent.Transaction.Type)
                {
                    LogFailure = outcomes.LogFailureOf(agent),
                });
                break;
            case AgentState.Aborting when now - agent.Touched >= context.Options.ResendMicroseconds:
                agent.Touched = now;
                outcomes.RequestAbort(agent);
                break;
        }

        if (agent.State == AgentState.Sealed && HasPreparedTooLong(agent, now))
            outcomes.AbortPrepared(agent, new AbortInfo(AbortReason.ManagerAbort, agent.Transaction.Type)
            {
                LogFailure = outcomes.LogFailureOf(agent),
            });
    }

    /// <summary>When something about an attempt is due that nothing but time brings.</summary>
    private long NextLookAt(AgentTransaction agent, long now)
    {
        var due = agent.State switch
        {
            AgentState.Running => agent.Transaction.Deadline,
            AgentState.Preparing or AgentState.Sealed => rounds.ReminderOf(agent),
            AgentState.Aborting => Math.Min(
                agent.Touched + context.Options.ResendMicroseconds,
                InDoubtAt(agent)),
            _ => DueWheel<LocalTransaction>.Never,
        };
        if (agent.Reserving is { IsOver: false } reserving)
        {
            due = Math.Min(due, reserving.SentAt + context.Options.ResendMicroseconds);
            due = Math.Min(due, reserving.MovedAt + context.Options.ReservationTimeoutMicroseconds);
        }

        if (agent.State == AgentState.Running) cancellations.Watch(agent, agent.Cancellation);
        return Math.Max(due, now + 1);
    }

    /// <summary>When its caller is told that nobody knows what has become of it.</summary>
    private long InDoubtAt(AgentTransaction agent) =>
        agent.PreparedAt + context.Options.PrepareTimeoutMicroseconds + context.Options.InDoubtTimeoutMicroseconds;

    private bool HasPreparedTooLong(AgentTransaction agent, long now) =>
        now - agent.PreparedAt >= context.Options.PrepareTimeoutMicroseconds || IsHeldUpByLog(agent, now);

    /// <summary>
    /// Its time is up, and a log can't be written: its caller hears what is known instead of waiting for longer than
    /// it gave.
    /// </summary>
    private bool IsHeldUpByLog(AgentTransaction agent, long now) =>
        context.Statistics.LogsOut > 0 && now >= agent.Transaction.Deadline;
}
