using Polyjuice.Commit;

namespace Polyjuice.Execution;

// What time brings to transactions: each is looked at when something is due, or when its agent is done with it, and
// never because a tick comes. Ticks come two hundred times a second, and transactions may be many.
internal sealed partial class TransactionEngine
{
    private void TickTransactions(long now)
    {
        while (Cancellations.TryTake(out var agent))
        {
            if (agent.State == AgentState.Running) Aborts.GiveUp(agent, AbortReason.Cancelled);
        }

        DueLooks.Tick(now);
    }

    /// <summary>
    /// Says when it is to be looked at again. Its agent, or what of it is left here, comes first; then its branches.
    /// </summary>
    private long Look(LocalTransaction transaction, long now)
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
        if (!transaction.AwaitsAgent && !Agents.IsAgentDone(transaction.Id)) DueLooks.AwaitAgent(transaction);
        return due;
    }

    /// <summary>
    /// One whose agent is elsewhere, or has told its caller: what is known here only because someone asked about it
    /// is forgotten when the agent is past it.
    /// </summary>
    private long LookAtShell(LocalTransaction transaction, long now)
    {
        var overAt = transaction.DryRun is null ? DueWheel<LocalTransaction>.Never : DryRuns.OverAt(transaction);
        if (now >= overAt)
        {
            Lifecycle.End(transaction, aborted: true);
            return now + Context.Options.ResendMicroseconds;
        }

        if (!Agents.IsAgentDone(transaction.Id)) return overAt;
        var isUndecided = false;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
            isUndecided |= branch.IsUndecided && branch.Owner.IsActive;
        if (!isUndecided) Lifecycle.End(transaction);
        else Lifecycle.Seal(transaction);

        // A body of it may still run here.
        return now + Context.Options.ResendMicroseconds;
    }

    /// <summary>When something about an attempt is due that nothing but time brings.</summary>
    private long NextLookAt(AgentTransaction agent, long now)
    {
        var due = agent.State switch
        {
            AgentState.Running => agent.Transaction.Deadline,
            AgentState.Preparing or AgentState.Sealed => Rounds.ReminderOf(agent),
            AgentState.Aborting => Math.Min(
                agent.Touched + Context.Options.ResendMicroseconds,
                agent.PreparedAt + Context.Options.PrepareTimeoutMicroseconds + Context.Options.InDoubtTimeoutMicroseconds),
            _ => DueWheel<LocalTransaction>.Never,
        };
        if (agent.Reserving is { IsOver: false } reserving)
        {
            due = Math.Min(due, reserving.SentAt + Context.Options.ResendMicroseconds);
            due = Math.Min(due, reserving.MovedAt + Context.Options.ReservationTimeoutMicroseconds);
        }

        if (agent.State == AgentState.Running) Cancellations.Watch(agent, agent.Cancellation);
        return Math.Max(due, now + 1);
    }
}
