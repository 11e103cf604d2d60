using System.Collections.Frozen;
using Orleans.Runtime;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// What a silo knows of the cluster at one moment: who is who, who is dead, who shall own what. The engines of a silo
/// live and die together. Immutable.
/// </summary>
internal sealed class ClusterView
{
    // By what the nodes of a silo's engines have in common.
    private readonly FrozenDictionary<long, Member> _silos;

    private ClusterView(MembershipVersion version, FrozenDictionary<long, Member> silos, PartitionMap map)
    {
        Version = version;
        _silos = silos;
        Map = map;
    }

    /// <summary>The membership that this is a view of.</summary>
    public MembershipVersion Version { get; }

    /// <summary>Who shall own what.</summary>
    public PartitionMap Map { get; }

    /// <summary>The silos that membership has declared dead.</summary>
    public IEnumerable<SiloAddress> Dead =>
        _silos.Values.Where(static silo => silo.Status == SiloStatus.Dead).Select(static silo => silo.Address);

    /// <summary>Before membership is known.</summary>
    public static ClusterView Empty(int partitions) =>
        new(MembershipVersion.MinValue, FrozenDictionary<long, Member>.Empty, PartitionMap.Of([], partitions));

    /// <summary>The view of a membership.</summary>
    /// <param name="snapshot">The membership.</param>
    /// <param name="partitions">Number of log partitions.</param>
    /// <param name="enginesOf">How many engines a silo has.</param>
    /// <param name="hasClasses">
    /// Whether it has classes of grains with transactional states. Who has none owns nothing, unless that is all silos.
    /// </param>
    public static ClusterView Of(
        ClusterMembershipSnapshot snapshot, int partitions, Func<SiloAddress, int> enginesOf,
        Func<SiloAddress, bool> hasClasses)
    {
        var silos = snapshot.Members.Values
            .Select(member => new Member(
                member.SiloAddress, NodeIds.Of(member.SiloAddress), member.Status, enginesOf(member.SiloAddress)))
            .ToFrozenDictionary(static member => NodeIds.SiloOf(member.Node));
        var active = silos.Values.Where(static silo => silo.Status == SiloStatus.Active).ToArray();
        var owners = active.Where(silo => hasClasses(silo.Address)).ToArray();
        if (owners.Length == 0) owners = active;
        return new(
            snapshot.Version,
            silos,
            PartitionMap.Of(owners.Select(static silo => (silo.Node, silo.Engines)), partitions));
    }

    /// <summary>A node's silo, unless it is unknown or dead.</summary>
    public SiloAddress? SiloOf(NodeId node) =>
        Find(node) is { } known && known.Status != SiloStatus.Dead ? known.Address : null;

    /// <summary>How many engines a silo has, as far as is known.</summary>
    public int EnginesOf(SiloAddress silo) => Find(NodeIds.Of(silo))?.Engines ?? 1;

    /// <summary>All silos that are not dead, but one.</summary>
    /// <param name="self">A node of that one.</param>
    public IEnumerable<SiloAddress> Others(NodeId self) => _silos
        .Where(silo => silo.Key != NodeIds.SiloOf(self) && silo.Value.Status != SiloStatus.Dead)
        .Select(static silo => silo.Value.Address);

    /// <summary>Whether membership knows the node's silo.</summary>
    public bool Knows(NodeId node) => Find(node) is not null;

    /// <summary>The status of a node's silo; <see cref="SiloStatus.None"/> if membership does not know it.</summary>
    public SiloStatus StatusOf(NodeId node) => Find(node)?.Status ?? SiloStatus.None;

    /// <summary>Whether membership has declared the node's silo dead.</summary>
    public bool IsDead(NodeId node) => StatusOf(node) == SiloStatus.Dead;

    private Member? Find(NodeId node) => _silos.GetValueOrDefault(NodeIds.SiloOf(node));

    /// <summary>One silo.</summary>
    /// <param name="Address">The silo.</param>
    /// <param name="Node">Its first engine's node.</param>
    /// <param name="Status">Its status.</param>
    /// <param name="Engines">How many engines it has.</param>
    private sealed record Member(SiloAddress Address, NodeId Node, SiloStatus Status, int Engines);
}
