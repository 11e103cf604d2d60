using Polyjuice.Agents.Spans;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>The agent's first step of a commit: it finds out who takes part, and who decides.</summary>
internal sealed class CommitStart(
    EngineContext context, RowOwners rows, AttemptSpans spans, AttemptAborts aborts, CommitOutcomes outcomes,
    CommitRounds rounds)
{
    public void Start(AgentTransaction agent)
    {
        var transaction = agent.Transaction;
        if (transaction.IsReadOnly)
        {
            outcomes.CompleteAfterCommitWait(agent, transaction.Start);
            return;
        }

        agent.Parts = ParticipantUses.Collect(transaction, context.Node);
        if (agent.Parts.Length == 0)
        {
            aborts.Complete(agent, agent.PendingAbort);
            return;
        }

        if (ParticipantUses.HasTwoEpochs(agent.Parts))
        {
            // R1b: one of the two was deposed before the other served, so one of them refuses; and one that is named
            // twice votes once.
            aborts.AbortRunning(agent, new AbortInfo(AbortReason.OwnerChanged, transaction.Type));
            return;
        }

        if (!agent.ReadsOnly && ParticipantUses.HasTwoFinalSteps(agent.Parts))
        {
            // Each would have to be the last.
            aborts.AbortRunning(agent, new AbortInfo(AbortReason.CommitRefused, transaction.Type));
            return;
        }

        ChooseManager(agent);
        agent.PreparedAt = context.Now;
        spans.Of(transaction)?.Prepares(context.Now);
        rounds.Start(agent);
    }

    /// <summary>
    /// The manager is a written participant: one where the transaction depends on undecided others if there is any,
    /// and of those the one with the least number; else one on this node. Transactions that follow each other on hot
    /// grains then tend to share a manager, which knows the outcome of the one before without asking anybody. Where
    /// there is a final step to take, all that does not matter.
    /// </summary>
    private void ChooseManager(AgentTransaction agent)
    {
        if (agent.ReadsOnly) return;
        var best = -1;
        for (var i = 0; i < agent.Parts.Length; i++)
        {
            if (agent.Parts[i].Writes && (best < 0 || Rank(agent.Parts[i]).CompareTo(Rank(agent.Parts[best])) < 0))
                best = i;
        }

        if (best < 0) return;
        agent.Manager = agent.Parts[best].Partition;

        (bool, int, bool, bool, int) Rank(in ParticipantUse part) => (
            !part.Decides, LoadOf(part), !part.Depends, !part.Depends && part.Node != context.Node, part.Partition);
    }

    /// <summary>
    /// How much a partition has to do, if it is a row: 0 for logs, more than any of this node for those elsewhere.
    /// </summary>
    private int LoadOf(in ParticipantUse part)
    {
        if (!PartitionNames.IsRow(part.Partition)) return 0;
        return rows.Find(part.Partition) is { IsActive: true } row ? 1 + row.Load : int.MaxValue;
    }
}
