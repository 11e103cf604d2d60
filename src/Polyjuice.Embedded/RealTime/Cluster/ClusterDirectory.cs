using Orleans.Runtime;
using Polyjuice.Hosting;

namespace Polyjuice.Embedded.RealTime;

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

    /// <summary>Number of log partitions; fixed.</summary>
    public int PartitionCount { get; } = partitionCount;

    /// <summary>The nodes that are alive.</summary>
    public IReadOnlyCollection<Node> Nodes => _nodes.Values;

    /// <summary>A partition's entry.</summary>
    public PartitionEntry this[int partition] => _partitions[partition];

    /// <summary>A live node, or null.</summary>
    public Node? Find(NodeId id) => _nodes.GetValueOrDefault(id);

    /// <summary>The owner of a partition, or none.</summary>
    public NodeId OwnerOf(int partition) => _partitions[partition].Owner?.Id ?? NodeId.None;

    /// <summary>A grain's partition.</summary>
    public int PartitionOf(GrainId grain) => StableHash.Partition(grain.ToString(), PartitionCount);

    /// <summary>A grain's partition, without making its identity's text.</summary>
    public int PartitionOf(GrainClass grainClass, string key)
    {
        var length = grainClass.Name.Length + 1 + key.Length;
        if (length > 256) return StableHash.Partition($"{grainClass.Name}/{key}", PartitionCount);
        Span<char> text = stackalloc char[length];
        grainClass.Name.CopyTo(text);
        text[grainClass.Name.Length] = '/';
        key.CopyTo(text[(grainClass.Name.Length + 1)..]);
        return StableHash.Partition(text, PartitionCount);
    }

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
