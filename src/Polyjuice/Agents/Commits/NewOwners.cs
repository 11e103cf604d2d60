using Polyjuice.Contracts;
using Polyjuice.Partitions;

namespace Polyjuice.Agents;

/// <summary>What follows for this node's attempts when somebody has taken a partition over.</summary>
internal sealed class NewOwners(
    LiveAttempts live, OwnedPartitions partitions, TakeOvers takeOvers, Lifecycle lifecycle, CommitOutcomes outcomes)
{
    public void OnOwner(int partition, long epoch)
    {
        if (!takeOvers.Note(partition, epoch)) return;
        foreach (var owner in partitions.Undecided()) owner.OnOwner(partition, epoch);
        for (var agent = live.Oldest; agent is not null;)
        {
            var next = agent.Younger;
            OnOwner(agent, partition, epoch);
            agent = next;
        }
    }

    public void OnOwner(AgentTransaction agent, int partition, long epoch)
    {
        var transaction = agent.Transaction;
        switch (agent.State)
        {
            case AgentState.Running when !transaction.IsReadOnly
                && transaction.Remote?.Exists(use => use.Partition == partition && use.Epoch < epoch) == true:
                // R1b: its prepare would be refused.
                lifecycle.Doom(transaction, AbortReason.OwnerChanged, null);
                break;
            case AgentState.Preparing when agent.IndexOf(partition) is >= 0 and var at && agent.Parts[at].Epoch < epoch
                && !agent.Answers.HasOrdered(at):
                outcomes.AbortPrepared(agent, new AbortInfo(AbortReason.OwnerChanged, transaction.Type));
                break;
            case AgentState.Preparing or AgentState.Sealed when agent.Manager == partition
                && agent.ManagerEpoch < epoch:
                outcomes.Inquire(agent);
                break;
            case AgentState.Aborting when agent.Manager == partition:
                outcomes.RequestAbort(agent);
                break;
        }
    }
}
