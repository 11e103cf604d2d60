using Polyjuice.Commit;
using Polyjuice.Hosting;

namespace Polyjuice.Execution;

/// <summary>
/// Who has taken a partition over. Engines hear of it from the new owner itself: the directory of a host may know it
/// sooner, but not whether it serves yet, and what it has found in the log.
/// </summary>
internal sealed class TakeOvers(
    EngineContext context, LiveAttempts live, Mail mail, KnownAgents agents, LogOwners logs, Partitions partitions,
    Lifecycle lifecycle, CommitOutcomes outcomes)
{
    private readonly Dictionary<int, long> _epochs = [];

    /// <summary>The latest epoch of a partition that was announced here; 0 if none was.</summary>
    public long EpochOf(int partition) => _epochs.GetValueOrDefault(partition);

    /// <summary>
    /// Tells everybody whom this node knows that an owner serves now, after all else that it has to say. Speed only:
    /// what got lost is found out by those who ask again after
    /// <see cref="EngineOptions.ResendMicroseconds"/>. Rows come and go with their grains, and so often that they are
    /// not announced.
    /// </summary>
    /// <param name="owner">Who serves.</param>
    /// <param name="named">Whose transactions its log names.</param>
    public void Announce(PartitionOwner owner, SortedSet<NodeId> named)
    {
        if (owner.IsRow || !context.Options.AnnouncesTakeOvers) return;
        var news = new Message { Kind = MessageKind.News, Partition = owner.Partition, Epoch = owner.Epoch };
        mail.SendLocal(news with { From = context.Node });
        foreach (var node in KnownNodes(named)) mail.Send(node, news);
    }

    /// <summary>Owners, those agents, and others that have been heard of, in a fixed order.</summary>
    private SortedSet<NodeId> KnownNodes(SortedSet<NodeId> named)
    {
        var nodes = new SortedSet<NodeId>(agents.Known);
        nodes.UnionWith(named);
        for (var partition = 0; partition < logs.Count; partition++) nodes.Add(context.Host.OwnerOf(partition));
        nodes.Remove(context.Node);
        return nodes;
    }

    public void OnOwner(int partition, long epoch)
    {
        if (epoch <= EpochOf(partition)) return;
        _epochs[partition] = epoch;
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
