using Orleans.Runtime;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Who shall own which log partition, as a function of the cluster's active silos alone, so that all who see the same
/// membership agree without a word. Each partition goes to the silo that weighs most for it among those that have room
/// (rendezvous hashing with bounded loads): loads differ by one at the most, and few partitions move when a silo comes
/// or goes. Immutable.
/// </summary>
internal sealed class PartitionMap
{
    private readonly NodeId[] _owners;

    private PartitionMap(NodeId[] owners) => _owners = owners;

    /// <summary>Number of partitions.</summary>
    public int Count => _owners.Length;

    /// <summary>The map of a cluster.</summary>
    /// <param name="nodes">Its active silos, in any order.</param>
    /// <param name="partitions">Number of log partitions.</param>
    public static PartitionMap Of(IEnumerable<NodeId> nodes, int partitions)
    {
        NodeId[] sorted = [.. nodes.Order()];
        var owners = new NodeId[partitions];
        if (sorted.Length == 0) return new(owners);
        var loads = new int[sorted.Length];

        // The first (partitions mod silos) silos to be full may hold one more.
        var (room, extra) = Math.DivRem(partitions, sorted.Length);
        for (var partition = 0; partition < partitions; partition++)
        {
            var best = -1;
            for (var i = 0; i < sorted.Length; i++)
            {
                if (loads[i] >= room + (extra > 0 ? 1 : 0)) continue;
                if (best < 0 || Weight(partition, sorted[i]) > Weight(partition, sorted[best])) best = i;
            }

            owners[partition] = sorted[best];
            if (++loads[best] > room) extra--;
        }

        return new(owners);
    }

    /// <summary>Who shall own a partition; <see cref="NodeId.None"/> when there is no silo.</summary>
    public NodeId OwnerOf(int partition) => _owners[partition];

    private static ulong Weight(int partition, NodeId node)
    {
        var z = (ulong)node.Value ^ ((ulong)partition * 0x9E3779B97F4A7C15UL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
        return z ^ (z >> 31);
    }
}
