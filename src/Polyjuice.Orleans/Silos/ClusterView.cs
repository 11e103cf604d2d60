using System.Collections.Frozen;
using Orleans.Runtime;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// What a silo knows of the cluster at one moment: who is who, who is dead, who shall own what. Immutable.
/// </summary>
internal sealed class ClusterView
{
    private readonly FrozenDictionary<NodeId, (SiloAddress Silo, SiloStatus Status)> _nodes;

    private ClusterView(
        MembershipVersion version, FrozenDictionary<NodeId, (SiloAddress Silo, SiloStatus Status)> nodes,
        PartitionMap map)
    {
        Version = version;
        _nodes = nodes;
        Map = map;
    }

    /// <summary>The membership that this is a view of.</summary>
    public MembershipVersion Version { get; }

    /// <summary>Who shall own what.</summary>
    public PartitionMap Map { get; }

    /// <summary>The nodes that membership has declared dead.</summary>
    public IEnumerable<(NodeId Node, SiloAddress Silo)> Dead =>
        _nodes.Where(node => node.Value.Status == SiloStatus.Dead).Select(node => (node.Key, node.Value.Silo));

    /// <summary>Before membership is known.</summary>
    public static ClusterView Empty(int partitions) =>
        new(
            MembershipVersion.MinValue,
            FrozenDictionary<NodeId, (SiloAddress, SiloStatus)>.Empty,
            PartitionMap.Of([], partitions));

    /// <summary>The view of a membership.</summary>
    public static ClusterView Of(ClusterMembershipSnapshot snapshot, int partitions)
    {
        var nodes = snapshot.Members.Values.ToFrozenDictionary(
            member => NodeIds.Of(member.SiloAddress), member => (member.SiloAddress, member.Status));
        return new(
            snapshot.Version,
            nodes,
            PartitionMap.Of(
                nodes.Where(node => node.Value.Item2 == SiloStatus.Active).Select(node => node.Key), partitions));
    }

    /// <summary>A node's silo, unless it is unknown or dead.</summary>
    public SiloAddress? SiloOf(NodeId node) =>
        _nodes.TryGetValue(node, out var known) && known.Status != SiloStatus.Dead ? known.Silo : null;

    /// <summary>All silos that are not dead, but one.</summary>
    public IEnumerable<SiloAddress> Others(NodeId self) =>
        _nodes.Where(node => node.Key != self && node.Value.Status != SiloStatus.Dead).Select(node => node.Value.Silo);

    /// <summary>Whether membership knows the node.</summary>
    public bool Knows(NodeId node) => _nodes.ContainsKey(node);

    /// <summary>A node's status; <see cref="SiloStatus.None"/> if membership does not know it.</summary>
    public SiloStatus StatusOf(NodeId node) => _nodes.TryGetValue(node, out var known) ? known.Status : SiloStatus.None;

    /// <summary>Whether membership has declared the node dead.</summary>
    public bool IsDead(NodeId node) => _nodes.TryGetValue(node, out var known) && known.Status == SiloStatus.Dead;
}
