using Polyjuice.Contracts;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Tests.Silos;

public sealed class PartitionMapTests
{
    private static readonly NodeId[] s_nodes =
    [
        .. Enumerable.Range(1, 7).Select(number => new NodeId(((long)number << 32) | (uint)(number * 7919)))
    ];

    [Theory]
    [InlineData(1, 4)]
    [InlineData(3, 4)]
    [InlineData(5, 64)]
    [InlineData(7, 3)]
    public void Loads_differ_by_one_at_the_most(int silos, int partitions)
    {
        var map = MapOf(s_nodes.Take(silos), partitions);
        var loads = s_nodes.Take(silos)
            .Select(node => Enumerable.Range(0, partitions).Count(partition => map.OwnerOf(partition) == node))
            .ToArray();
        Assert.Equal(partitions, loads.Sum());
        Assert.InRange(loads.Max() - loads.Min(), 0, 1);
    }

    [Fact]
    public void All_who_see_the_same_silos_agree()
    {
        var one = MapOf(s_nodes, 64);
        var other = MapOf(s_nodes.Reverse(), 64);
        Assert.All(
            Enumerable.Range(0, 64), partition => Assert.Equal(one.OwnerOf(partition), other.OwnerOf(partition)));
    }

    [Fact]
    public void When_a_silo_goes_most_partitions_stay_where_they_are()
    {
        var before = MapOf(s_nodes, 70);
        var after = MapOf(s_nodes[1..], 70);
        var moved = Enumerable.Range(0, 70)
            .Count(
                partition => before.OwnerOf(partition) != s_nodes[0]
                    && before.OwnerOf(partition) != after.OwnerOf(partition));
        Assert.InRange(moved, 0, 20);
    }

    [Fact]
    public void Nobody_owns_anything_where_there_is_no_silo() =>
        Assert.Equal(NodeId.None, PartitionMap.Of([], 2).OwnerOf(1));

    [Theory]
    [InlineData(1, 2, 4)]
    [InlineData(3, 4, 24)]
    [InlineData(2, 3, 7)]
    [InlineData(3, 16, 5)]
    public void The_engines_of_a_silo_share_what_is_the_silos(int silos, int engines, int partitions)
    {
        var map = PartitionMap.Of(s_nodes.Take(silos).Select(node => (node, engines)), partitions);
        foreach (var silo in s_nodes.Take(silos))
        {
            var loads = Enumerable.Range(0, engines).Select(engine => LoadOf(map, NodeIds.Of(silo, engine))).ToArray();
            Assert.InRange(loads.Sum(), partitions / silos, (partitions / silos) + 1);
            Assert.InRange(loads.Max() - loads.Min(), 0, 1);
        }
    }

    [Fact]
    public void Which_silo_has_a_partition_does_not_depend_on_numbers_of_engines()
    {
        var one = MapOf(s_nodes, 70);
        var several = PartitionMap.Of(s_nodes.Select((node, i) => (node, (i % 4) + 1)), 70);
        Assert.All(
            Enumerable.Range(0, 70),
            partition => Assert.Equal(
                NodeIds.SiloOf(one.OwnerOf(partition)), NodeIds.SiloOf(several.OwnerOf(partition))));
    }

    private static PartitionMap MapOf(IEnumerable<NodeId> silos, int partitions) =>
        PartitionMap.Of(silos.Select(static silo => (silo, 1)), partitions);

    private static int LoadOf(PartitionMap map, NodeId node) =>
        Enumerable.Range(0, map.Count).Count(partition => map.OwnerOf(partition) == node);
}
