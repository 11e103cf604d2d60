using Polyjuice.Commit;

namespace Polyjuice.Execution;

// The agent after that: reminds, aborts, hears the outcome, and decides itself where nothing was written.
internal sealed partial class TransactionEngine
{
    /// <summary>Repeats what may have been lost.</summary>
    private void Remind(AgentTransaction agent)
    {
        if (agent.State == AgentState.Preparing)
        {
            for (var i = 0; i < agent.Parts.Length; i++)
            {
                if (agent.Answers.IsAsked(i) && !agent.Answers.HasOrdered(i)) SendPrepare(agent, agent.Parts[i]);
            }
        }
        else if (agent.Manager < 0)
        {
            foreach (var part in agent.Parts)
            {
                if (agent.Votes is null || !agent.Votes.Voted.Contains(part.Partition)) SendPrepare(agent, part);
            }

            AskDependencies(agent);
        }
        else
        {
            // The manager repeats its word to a prepare that it has ordered already; other participants repeat their votes.
            foreach (var part in agent.Parts) SendPrepare(agent, part);
        }
    }

    /// <summary>V3: once a prepare was sent, only the manager aborts.</summary>
    private void AbortPrepared(AgentTransaction agent, AbortInfo abort)
    {
        agent.PendingAbort = abort;
        if (agent.Manager < 0)
        {
            // Nothing was written: nobody but this agent decides.
            AbortRunning(agent, abort);
            return;
        }

        if (Context.Breaks == ProtocolBreaks.AbortViaMgr) AbortRunning(agent, abort);

        // A manager that is asked late, because this process has stalled, has as long to answer as another.
        agent.PreparedAt = Math.Max(agent.PreparedAt, Context.Now - Context.Options.PrepareTimeoutMicroseconds);
        agent.State = agent.IsComplete ? AgentState.Done : AgentState.Aborting;
        agent.Touched = Context.Now;
        RequestAbort(agent);
    }

    private void RequestAbort(AgentTransaction agent) => Partitions.Send(agent.Manager, new Message
    {
        Kind = MessageKind.AbortRequest,
        Transaction = agent.Transaction.Id,
        ManagerEpoch = ManagerEpochOf(agent),
        FromPartition = -1,
        Flags = MessageFlags.ToAgent | (agent.IsRefused ? MessageFlags.Final : MessageFlags.None),
    });

    private void OnAgentOutcome(in Message outcome)
    {
        if (!Transactions.TryFind(outcome.Transaction, out var transaction) || transaction.Agent is not { } agent) return;
        if (agent.State is AgentState.Running or AgentState.Done) return;
        if (outcome.Has(MessageFlags.Committed))
        {
            if (outcome.Timestamp != 0) agent.Timestamp = outcome.Timestamp;
            CompleteAfterCommitWait(agent, agent.Timestamp);
            return;
        }

        // Every participant hears it, also those that the manager's word may not reach.
        Mail.SendToVisited(transaction, new Message { Kind = MessageKind.Abandon, Transaction = transaction.Id });
        foreach (var part in agent.Parts)
        {
            if (part.Partition == agent.Manager) continue;
            Partitions.Send(part.Partition, new Message
            {
                Kind = MessageKind.Outcome, Transaction = transaction.Id, FromPartition = agent.Manager,
                Flags = MessageFlags.Aborted | MessageFlags.Final | (outcome.Flags & MessageFlags.Unknown),
            });
        }

        // A final step's word goes first: it may be that nobody knows what it has done.
        var refusal = outcome.Count > 0 ? new AbortInfo((AbortReason)outcome.Count, transaction.Type) : null;
        Complete(agent, refusal ?? agent.PendingAbort ?? new AbortInfo(AbortReason.Cascade, transaction.Type));
    }

    // ---- Nothing written: the participants vote to the agent.

    private void OnAgentVote(in Message vote)
    {
        if (!Transactions.TryFind(vote.Transaction, out var transaction) || transaction.Agent is not { Manager: < 0 } agent) return;
        if (agent.State is not (AgentState.Preparing or AgentState.Sealed) || vote.Round != agent.Round) return;
        var votes = agent.Votes ??= new();
        if (votes.Voted.Contains(vote.FromPartition)) return;
        votes.Voted.Add(vote.FromPartition);
        if (vote.Dependencies is { Length: > 0 } dependencies && Context.Breaks != ProtocolBreaks.NoR7Answer) votes.Unresolved.AddRange(dependencies);
        TryDecideReads(agent);
    }

    private void TryDecideReads(AgentTransaction agent)
    {
        if (agent.State != AgentState.Sealed || agent.Votes is not { } votes || votes.Voted.Count < agent.Parts.Length) return;
        if (votes.Unresolved.Count > 0)
        {
            AskDependencies(agent);
            return;
        }

        if (agent.ReadsOnly) AbortRunning(agent, agent.PendingAbort!);
        else CompleteAfterCommitWait(agent, agent.Timestamp);
    }

    private void AskDependencies(AgentTransaction agent)
    {
        foreach (var dependency in agent.Votes?.Unresolved ?? [])
        {
            Partitions.Send(dependency.Partition, new Message
            {
                Kind = MessageKind.DependencyQuery, Transaction = agent.Transaction.Id, Other = dependency.Transaction,
                Epoch = dependency.Epoch, FromPartition = -1, Flags = MessageFlags.ToAgent,
            });
        }
    }

    private void OnAgentDependencyAnswer(in Message answer)
    {
        if (!Transactions.TryFind(answer.Transaction, out var transaction) || transaction.Agent is not { State: AgentState.Sealed, Votes.Unresolved: { } unresolved } agent) return;
        var other = answer.Other;
        var from = answer.FromPartition;
        if (unresolved.RemoveAll(d => d.Transaction == other && d.Partition == from) == 0) return;
        if (answer.Has(MessageFlags.Aborted)) AbortRunning(agent, new AbortInfo(AbortReason.Cascade, transaction.Type));
        else TryDecideReads(agent);
    }

    /// <summary>Nobody is told of a commit that lies in the future of this node's clock: a later transaction elsewhere might get below it.</summary>
    private void CompleteAfterCommitWait(AgentTransaction agent, long timestamp)
    {
        var remaining = Context.Breaks == ProtocolBreaks.CommitWait ? 0 : Context.Clock.Physical >= timestamp ? 0 : Context.Clock.MicrosecondsUntil(timestamp);
        if (remaining == 0) Complete(agent, null);
        else ScheduleCompletion(agent, timestamp, remaining);
    }

    // Apart, so that only who must wait pays for the closure.
    private void ScheduleCompletion(AgentTransaction agent, long timestamp, long delay) => Context.Host.Schedule(delay, () => CompleteAfterCommitWait(agent, timestamp));
}
