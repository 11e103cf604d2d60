using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// Who has taken a partition over. Engines hear of it from the new owner itself: the directory of a host may know it
/// sooner, but not whether it serves yet, and what it has found in the log.
/// </summary>
internal sealed class TakeOvers(EngineContext context, Mail mail, KnownAgents agents, LogOwners logs)
{
    private readonly Dictionary<int, long> _epochs = [];

    /// <summary>The latest epoch of a partition that was announced here; 0 if none was.</summary>
    public long EpochOf(int partition) => _epochs.GetValueOrDefault(partition);

    /// <summary>
    /// Tells everybody whom this node knows that an owner serves now, after all else that it has to say. Speed only:
    /// what got lost is found out by those who ask again after <see cref="EngineOptions.ResendMicroseconds"/>. Rows
    /// come and go with their grains, and so often that they are not announced.
    /// </summary>
    /// <param name="owner">Who serves.</param>
    /// <param name="named">Whose transactions its log names.</param>
    public void Announce(PartitionOwner owner, SortedSet<NodeId> named)
    {
        if (owner.IsRow || !context.Options.AnnouncesTakeOvers) return;
        var news = new NewsMessage { Partition = owner.Partition, Epoch = owner.Epoch };
        mail.Send(context.Node, news);
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

    /// <summary>An owner has announced itself.</summary>
    /// <returns>Whether that is news.</returns>
    public bool Note(int partition, long epoch)
    {
        if (epoch <= EpochOf(partition)) return false;
        _epochs[partition] = epoch;
        return true;
    }
}
