using Polyjuice.Commit;
using Polyjuice.Hosting;

namespace Polyjuice.Execution;

// What time brings to transactions: each is looked at when something is due, or when its agent is done with it, and
// never because a tick comes. Ticks come two hundred times a second, and transactions may be many.
internal sealed partial class TransactionEngine
{
    private readonly DueWheel<LocalTransaction> _dueTransactions;
    private readonly DueWheel<Decision> _dueDecisions;

    /// <summary>
    /// Transactions here that have lasted, by agent: to be looked at when its oldest live one has passed them (R1c).
    /// </summary>
    private readonly Dictionary<NodeId, PriorityQueue<LocalTransaction, long>> _awaitedAgents = [];

    private readonly CancellationInbox<AgentTransaction> _cancellations = new();

    /// <summary>How often housekeeping has looked at something; for tests and measurements.</summary>
    internal long Looks => _dueTransactions.Looks + _dueDecisions.Looks + Waits.Looks + AdmissionQueue.Looks;

    /// <summary>
    /// Time may have to do with it from now on: it is looked at in the tick after the next, which finds out what is due when.
    /// </summary>
    internal void LookAfter(LocalTransaction transaction)
    {
        if (!transaction.AwaitsAgent) _dueTransactions.AddSoon(transaction);
    }

    /// <summary>Something about it is due earlier than what was known.</summary>
    internal void Hasten(LocalTransaction transaction, long due) => _dueTransactions.Add(transaction, due);

    /// <summary>It is looked at no more, if nothing of it is left.</summary>
    internal void RestIfDone(LocalTransaction transaction)
    {
        if (transaction.IsAtRest) _dueTransactions.Remove(transaction);
    }

    /// <summary>A manager's decision was made.</summary>
    internal void LookAfter(Decision decision) =>
        _dueDecisions.Add(decision, decision.Touched + Context.Options.ResendMicroseconds);

    /// <summary>It was forgotten.</summary>
    internal void Rest(Decision decision) => _dueDecisions.Remove(decision);

    private void Know(LocalTransaction transaction)
    {
        _transactions.Add(transaction.Id, transaction);
        transaction.IsKnown = true;
        LookAfter(transaction);
    }

    private void TickTransactions(long now)
    {
        while (_cancellations.TryTake(out var agent))
        {
            if (agent.State == AgentState.Running) GiveUp(agent, AbortReason.Cancelled);
        }

        _dueTransactions.Tick(now);
        TickAwaitedAgents(now);
        _dueDecisions.Tick(now);
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
        if (!transaction.AwaitsAgent && !Agents.IsAgentDone(transaction.Id)) AwaitAgent(transaction);
        return due;
    }

    /// <summary>
    /// One whose agent is elsewhere, or has told its caller: what is known here only because someone asked about it
    /// is forgotten when the agent is past it.
    /// </summary>
    private long LookAtShell(LocalTransaction transaction, long now)
    {
        var overAt = transaction.DryRun is null ? DueWheel<LocalTransaction>.Never : DryRunOverAt(transaction);
        if (now >= overAt)
        {
            End(transaction, aborted: true);
            return now + Context.Options.ResendMicroseconds;
        }

        if (!Agents.IsAgentDone(transaction.Id)) return overAt;
        var isUndecided = false;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
            isUndecided |= branch.IsUndecided && branch.Owner.IsActive;
        if (!isUndecided) End(transaction);
        else Seal(transaction);

        // A body of it may still run here.
        return now + Context.Options.ResendMicroseconds;
    }

    private void AwaitAgent(LocalTransaction transaction)
    {
        var node = transaction.Id.Node;
        if (!_awaitedAgents.TryGetValue(node, out var awaiting)) _awaitedAgents.Add(node, awaiting = new());
        transaction.AwaitsAgent = true;
        awaiting.Enqueue(transaction, transaction.Id.Sequence);
    }

    private void TickAwaitedAgents(long now)
    {
        foreach (var (node, awaiting) in _awaitedAgents)
        {
            // A look adds to none of these: the agent is done with what is looked at.
            var oldestLive = Agents.OldestLiveOf(node);
            while (awaiting.TryPeek(out var transaction, out var sequence) && sequence < oldestLive)
            {
                awaiting.Dequeue();
                transaction.AwaitsAgent = false;
                if (transaction.IsAtRest) continue;
                _dueTransactions.Remove(transaction);
                var due = Look(transaction, now);
                if (due != DueWheel<LocalTransaction>.Never) _dueTransactions.Add(transaction, due);
            }

            if (awaiting.Count == 0) _awaitedAgents.Remove(node);
            else Agents.AskForNews(node);
        }
    }

    /// <summary>When something about an attempt is due that nothing but time brings.</summary>
    private long NextLookAt(AgentTransaction agent, long now)
    {
        var due = agent.State switch
        {
            AgentState.Running => agent.Transaction.Deadline,
            AgentState.Preparing or AgentState.Sealed => ReminderOf(agent),
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

        if (agent.State == AgentState.Running) _cancellations.Watch(agent, agent.Cancellation);
        return Math.Max(due, now + 1);
    }

    /// <summary>When participants that were asked to order it are asked again, or its time to be ordered is up.</summary>
    private long ReminderOf(AgentTransaction agent) =>
        Math.Min(agent.Touched + Context.Options.ResendMicroseconds, agent.PreparedAt + Context.Options.PrepareTimeoutMicroseconds);
}
