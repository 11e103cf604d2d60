using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// The agent after its rounds: it asks for an abort, hears the outcome, and decides itself where nothing was written.
/// </summary>
internal sealed class CommitOutcomes(
    EngineContext context, Mail mail, OwnedPartitions partitions, TransactionTable transactions, AttemptAborts aborts)
{
    /// <summary>V3: once a prepare was sent, only the manager aborts.</summary>
    public void AbortPrepared(AgentTransaction agent, AbortInfo abort)
    {
        agent.PendingAbort = abort;
        if (agent.Manager < 0)
        {
            // Nothing was written: nobody but this agent decides.
            aborts.AbortRunning(agent, abort);
            return;
        }

        if (context.Breaks == ProtocolBreaks.AbortViaMgr) aborts.AbortRunning(agent, abort);

        // A manager that is asked late, because this process has stalled, has as long to answer as another.
        agent.PreparedAt = Math.Max(agent.PreparedAt, context.Now - context.Options.PrepareTimeoutMicroseconds);
        agent.State = agent.IsComplete ? AgentState.Done : AgentState.Aborting;
        agent.Touched = context.Now;
        RequestAbort(agent);
    }

    public void RequestAbort(AgentTransaction agent) => partitions.Send(agent.Manager, new QueryMessage
    {
        Transaction = agent.Transaction.Id,
        ManagerEpoch = agent.ManagerEpoch,
        FromPartition = -1,
        IsToAgent = true,
        WishesAbort = true,
        NeverCommits = agent.IsRefused,
    });

    /// <summary>Asks the manager what became of it: V2, V4.</summary>
    public void Inquire(AgentTransaction agent) => partitions.Send(agent.Manager, new QueryMessage
    {
        Transaction = agent.Transaction.Id,
        ManagerEpoch = agent.ManagerEpoch,
        FromPartition = -1,
        IsToAgent = true,
    });

    public void OnAgentOutcome(in Message message)
    {
        var outcome = AgentOutcomeMessage.Read(message);
        if (!transactions.TryFind(outcome.Transaction, out var transaction) || transaction.Agent is not { } agent)
            return;
        if (agent.State is AgentState.Running or AgentState.Done) return;
        if (outcome.IsCommitted)
        {
            if (outcome.Timestamp != 0) agent.Timestamp = outcome.Timestamp;
            CompleteAfterCommitWait(agent, agent.Timestamp);
            return;
        }

        // Every participant hears it, also those that the manager's word may not reach.
        mail.SendToAll(transaction.Visited, new Message { Kind = MessageKind.Abandon, Transaction = transaction.Id });
        foreach (var part in agent.Parts)
        {
            if (part.Partition == agent.Manager) continue;
            partitions.Send(part.Partition, new OutcomeMessage
            {
                Transaction = transaction.Id, FromPartition = agent.Manager, IsFinal = true,
                IsUnknown = outcome.IsUnknown,
            });
        }

        // A final step's word goes first: it may be that nobody knows what it has done.
        var refusal = outcome.Refusal == AbortReason.None ? null : new AbortInfo(outcome.Refusal, transaction.Type);
        aborts.Complete(agent, refusal ?? agent.PendingAbort ?? new AbortInfo(AbortReason.Cascade, transaction.Type));
    }

    // ---- Nothing written: the participants vote to the agent.

    public void OnAgentVote(in Message message)
    {
        var vote = VoteMessage.Read(message);
        if (!transactions.TryFind(vote.Transaction, out var transaction)
            || transaction.Agent is not { Manager: < 0 } agent)
            return;
        if (agent.State is not (AgentState.Preparing or AgentState.Sealed) || vote.Round != agent.Round) return;
        var votes = agent.Votes ??= new();
        if (votes.Voted.Contains(vote.FromPartition)) return;
        votes.Voted.Add(vote.FromPartition);
        if (vote.Dependencies is { Length: > 0 } dependencies && context.Breaks != ProtocolBreaks.NoR7Answer)
            votes.Unresolved.AddRange(dependencies);
        TryDecideReads(agent);
    }

    public void TryDecideReads(AgentTransaction agent)
    {
        if (agent.State != AgentState.Sealed || agent.Votes is not { } votes || votes.Voted.Count < agent.Parts.Length)
            return;
        if (votes.Unresolved.Count > 0)
        {
            AskDependencies(agent);
            return;
        }

        if (agent.ReadsOnly) aborts.AbortRunning(agent, agent.PendingAbort!);
        else CompleteAfterCommitWait(agent, agent.Timestamp);
    }

    public void AskDependencies(AgentTransaction agent)
    {
        foreach (var dependency in agent.Votes?.Unresolved ?? [])
        {
            partitions.Send(dependency.Partition, new DependencyQueryMessage
            {
                Transaction = agent.Transaction.Id, Dependency = dependency.Transaction, FromPartition = -1,
                Epoch = dependency.Epoch, IsToAgent = true,
            });
        }
    }

    public void OnAgentDependencyAnswer(in Message message)
    {
        var answer = DependencyAnswerMessage.Read(message);
        if (!transactions.TryFind(answer.Transaction, out var transaction)
            || transaction.Agent is not { State: AgentState.Sealed, Votes.Unresolved: { } unresolved } agent)
            return;
        var other = answer.Dependency;
        var from = answer.FromPartition;
        if (unresolved.RemoveAll(d => d.Transaction == other && d.Partition == from) == 0) return;
        if (!answer.IsCommitted)
            aborts.AbortRunning(agent, new AbortInfo(AbortReason.Cascade, transaction.Type));
        else TryDecideReads(agent);
    }

    /// <summary>
    /// Nobody is told of a commit that lies in the future of this node's clock: a later transaction elsewhere might
    /// get below it.
    /// </summary>
    public void CompleteAfterCommitWait(AgentTransaction agent, long timestamp)
    {
        var remaining = context.Breaks == ProtocolBreaks.CommitWait
            ? 0
            : context.Clock.Physical >= timestamp ? 0 : context.Clock.MicrosecondsUntil(timestamp);
        if (remaining == 0) aborts.Complete(agent, null);
        else ScheduleCompletion(agent, timestamp, remaining);
    }

    // Apart, so that only who must wait pays for the closure.
    private void ScheduleCompletion(AgentTransaction agent, long timestamp, long delay) =>
        context.Host.Schedule(delay, () => CompleteAfterCommitWait(agent, timestamp));

    /// <summary>
    /// The log that a transaction waits for, as far as this node knows: its manager's, another one's that takes part,
    /// or one of this node's that what it was built upon may wait for.
    /// </summary>
    public string? LogFailureOf(AgentTransaction agent)
    {
        if (partitions.LogFailureAt(agent.Manager) is { } failure) return failure;
        if (context.Statistics.LogsOut == 0) return null;
        foreach (var part in agent.Parts)
        {
            if (partitions.Owner(part.Partition) is { IsLogOut: true } owner) return owner.LogFailure;
        }

        foreach (var owner in partitions.All)
        {
            if (owner.IsLogOut) return owner.LogFailure;
        }

        return null;
    }
}
