using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

/// <summary>Who owns a partition, and whether it serves it yet.</summary>
internal readonly record struct PartitionEntry(Node? Owner, bool IsServing);

/// <summary>
/// What the nodes of a cluster know of each other: who is alive, and who owns which partition. Thread-safe; readers see the
/// latest snapshot without a lock.
/// </summary>
internal sealed class ClusterDirectory(int partitionCount)
{
    private readonly Lock _gate = new();
    private volatile PartitionEntry[] _partitions = new PartitionEntry[partitionCount];
    private volatile Dictionary<NodeId, Node> _nodes = [];

    /// <summary>The nodes that are alive.</summary>
    public IReadOnlyCollection<Node> Nodes => _nodes.Values;

    /// <summary>A partition's entry.</summary>
    public PartitionEntry this[int partition] => _partitions[partition];

    /// <summary>A live node, or null.</summary>
    public Node? Find(NodeId id) => _nodes.GetValueOrDefault(id);

    /// <summary>The owner of a partition, or none.</summary>
    public NodeId OwnerOf(int partition) => _partitions[partition].Owner?.Id ?? NodeId.None;

    public void Add(Node node)
    {
        lock (_gate) _nodes = new(_nodes) { [node.Id] = node };
    }

    /// <summary>Removes a node; its partitions have no owner from here on.</summary>
    public void Remove(Node node)
    {
        lock (_gate)
        {
            var nodes = new Dictionary<NodeId, Node>(_nodes);
            nodes.Remove(node.Id);
            _nodes = nodes;
            _partitions = [.. _partitions.Select(entry => ReferenceEquals(entry.Owner, node) ? default : entry)];
        }
    }

    public void SetOwner(int partition, Node owner, bool isServing)
    {
        lock (_gate)
        {
            // A node that died meanwhile owns nothing.
            if (!_nodes.ContainsKey(owner.Id)) return;
            var partitions = (PartitionEntry[])_partitions.Clone();
            partitions[partition] = new(owner, isServing);
            _partitions = partitions;
        }
    }
}
