using Orleans.Runtime;
using Polyjuice.Contracts;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Who shall own which log partition, as a function of the cluster's active silos and their numbers of engines alone,
/// so that all who see the same membership agree without a word. Each partition goes to the silo that weighs most for
/// it among those that have room (rendezvous hashing with bounded loads), and within that silo to an engine by the same
/// rule: loads differ by one at the most, among silos and among the engines of each, and few partitions move when a
/// silo comes or goes. Which silo has a partition does not depend on numbers of engines. Immutable.
/// </summary>
internal sealed class PartitionMap
{
    private readonly NodeId[] _owners;

    private PartitionMap(NodeId[] owners) => _owners = owners;

    /// <summary>Number of partitions.</summary>
    public int Count => _owners.Length;

    /// <summary>The map of a cluster.</summary>
    /// <param name="silos">Its active silos, in any order: the first engine's node, and how many engines.</param>
    /// <param name="partitions">Number of log partitions.</param>
    public static PartitionMap Of(IEnumerable<(NodeId Node, int Engines)> silos, int partitions)
    {
        var engines = silos.ToDictionary(static silo => silo.Node, static silo => silo.Engines);
        var owners = new NodeId[partitions];
        if (engines.Count == 0) return new(owners);
        Share([.. Enumerable.Range(0, partitions)], [.. engines.Keys], owners);
        foreach (var (silo, count) in engines)
        {
            if (count == 1) continue;
            var own = Enumerable.Range(0, partitions).Where(partition => owners[partition] == silo);
            Share([.. own], [.. Enumerable.Range(0, count).Select(engine => NodeIds.Of(silo, engine))], owners);
        }

        return new(owners);
    }

    /// <summary>Who shall own a partition; <see cref="NodeId.None"/> when there is no silo.</summary>
    public NodeId OwnerOf(int partition) => _owners[partition];

    private static void Share(int[] partitions, NodeId[] nodes, NodeId[] owners)
    {
        Array.Sort(nodes);
        var loads = new int[nodes.Length];

        // The first (partitions mod nodes) nodes to be full may hold one more.
        var (room, extra) = Math.DivRem(partitions.Length, nodes.Length);
        foreach (var partition in partitions)
        {
            var best = -1;
            for (var i = 0; i < nodes.Length; i++)
            {
                if (loads[i] >= room + (extra > 0 ? 1 : 0)) continue;
                if (best < 0 || Weight(partition, nodes[i]) > Weight(partition, nodes[best])) best = i;
            }

            owners[partition] = nodes[best];
            if (++loads[best] > room) extra--;
        }
    }

    private static ulong Weight(int partition, NodeId node)
    {
        var z = (ulong)node.Value ^ ((ulong)partition * 0x9E3779B97F4A7C15UL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
        return z ^ (z >> 31);
    }
}
