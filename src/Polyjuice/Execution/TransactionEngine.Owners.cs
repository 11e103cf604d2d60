using Polyjuice.Commit;
using Polyjuice.Hosting;

namespace Polyjuice.Execution;

// Who has taken a partition over. Engines hear of it from the new owner itself: the directory of a host may know it
// sooner, but not whether it serves yet, and what it has found in the log.
internal sealed partial class TransactionEngine
{
    private readonly Dictionary<int, long> _epochs = [];

    /// <summary>The latest epoch of a partition that was announced here; 0 if none was.</summary>
    internal long EpochOf(int partition) => _epochs.GetValueOrDefault(partition);

    /// <summary>
    /// Tells everybody whom this node knows that an owner serves now, after all else that it has to say. Speed only:
    /// what got lost is found out by those who ask again after
    /// <see cref="EngineOptions.ResendMicroseconds"/>. Rows come and go with their grains, and so often that they are
    /// not announced.
    /// </summary>
    /// <param name="owner">Who serves.</param>
    /// <param name="agents">Whose transactions its log names.</param>
    internal void Announce(PartitionOwner owner, SortedSet<NodeId> agents)
    {
        if (owner.IsRow || !Context.Options.AnnouncesTakeOvers) return;
        var news = new Message { Kind = MessageKind.News, Partition = owner.Partition, Epoch = owner.Epoch };
        Mail.SendLocal(news with { From = Context.Node });
        foreach (var node in KnownNodes(agents)) Mail.Send(node, news);
    }

    /// <summary>Owners, those agents, and others that have been heard of, in a fixed order.</summary>
    private SortedSet<NodeId> KnownNodes(SortedSet<NodeId> agents)
    {
        var nodes = new SortedSet<NodeId>(Agents.Known);
        nodes.UnionWith(agents);
        for (var partition = 0; partition < Logs.Count; partition++) nodes.Add(Context.Host.OwnerOf(partition));
        nodes.Remove(Context.Node);
        return nodes;
    }

    private void OnOwner(int partition, long epoch)
    {
        if (epoch <= EpochOf(partition)) return;
        _epochs[partition] = epoch;
        foreach (var owner in Partitions.Undecided()) owner.OnOwner(partition, epoch);
        for (var agent = Live.Oldest; agent is not null;)
        {
            var next = agent.Younger;
            OnOwner(agent, partition, epoch);
            agent = next;
        }
    }

    private void OnOwner(AgentTransaction agent, int partition, long epoch)
    {
        var transaction = agent.Transaction;
        switch (agent.State)
        {
            case AgentState.Running when !transaction.IsReadOnly
                && transaction.Remote?.Exists(use => use.Partition == partition && use.Epoch < epoch) == true:
                // R1b: its prepare would be refused.
                Lifecycle.Doom(transaction, AbortReason.OwnerChanged, null);
                break;
            case AgentState.Preparing when IndexOf(agent, partition) is >= 0 and var at && agent.Parts[at].Epoch < epoch
                && !agent.Answers.HasOrdered(at):
                AbortPrepared(agent, new AbortInfo(AbortReason.OwnerChanged, transaction.Type));
                break;
            case AgentState.Preparing or AgentState.Sealed when agent.Manager == partition
                && ManagerEpochOf(agent) < epoch:
                Inquire(agent);
                break;
            case AgentState.Aborting when agent.Manager == partition:
                RequestAbort(agent);
                break;
        }
    }

    /// <summary>Asks the manager what became of it: V2, V4.</summary>
    private void Inquire(AgentTransaction agent) => Partitions.Send(agent.Manager, new Message
    {
        Kind = MessageKind.Query,
        Transaction = agent.Transaction.Id,
        ManagerEpoch = ManagerEpochOf(agent),
        FromPartition = -1,
        Flags = MessageFlags.ToAgent,
    });
}
