using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Wire;

namespace Polyjuice.Engine;

/// <summary>What follows when a node is declared dead.</summary>
internal sealed class NodeDeaths(
    DeadNodes dead, KnownAgents agents, Mail mail, Timers timers, OwnedPartitions partitions,
    TransactionTable transactions, Lifecycle lifecycle, EndedTransactions ended)
{
    /// <summary>
    /// A node was declared dead and will never act again: what depends on its agent alone is resolved without it.
    /// </summary>
    public void NodeDead(NodeId node)
    {
        if (!dead.Add(node)) return;
        agents.NoteDead(node);
        mail.Forget(node);
        foreach (var transaction in transactions.All.ToArray())
        {
            if (transaction.Id.Node == node)
            {
                lifecycle.Doom(transaction, AbortReason.ParticipantLost, null);
                ended.Abandon(transaction.Id);
                lifecycle.End(transaction);
            }
            else if (transaction.RemoteCalls is { } calls)
            {
                foreach (var call in calls.ToArray())
                {
                    if (call.Destination == node) lifecycle.Doom(transaction, AbortReason.ParticipantLost, null);
                }
            }
        }

        foreach (var owner in partitions.Undecided()) owner.OnNodeDead(node);
        timers.EnsureTicking();
        mail.RequestFlush();
    }
}
