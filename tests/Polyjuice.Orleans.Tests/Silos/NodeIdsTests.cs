using System.Net;
using Orleans.Runtime;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Tests.Silos;

public sealed class NodeIdsTests
{
    [Fact]
    public void A_silo_that_restarts_is_another_node()
    {
        var endpoint = new IPEndPoint(IPAddress.Parse("10.1.2.3"), 11_111);
        var first = NodeIds.Of(SiloAddress.New(endpoint, 500));
        var second = NodeIds.Of(SiloAddress.New(endpoint, 501));
        Assert.NotEqual(first, second);
        Assert.Equal(501, NodeIds.StartedAt(second));
        Assert.True(first.Value > 0);
    }

    [Fact]
    public void Two_silos_of_one_second_are_two_nodes() => Assert.NotEqual(
        NodeIds.Of(SiloAddress.New(new IPEndPoint(IPAddress.Parse("10.1.2.3"), 11_111), 500)),
        NodeIds.Of(SiloAddress.New(new IPEndPoint(IPAddress.Parse("10.1.2.4"), 11_111), 500)));

    [Theory]
    [InlineData(500, 1_000, 0, false)]
    [InlineData(500, 1_101, 0, true)]
    [InlineData(500, 600, 500, false)]
    [InlineData(500, 600, 501, true)]
    [InlineData(700, 600, 0, false)]
    public void Who_is_not_known_is_gone_once_it_would_have_joined(int started, int selfStarted, int age, bool isOver)
    {
        var endpoint = new IPEndPoint(IPAddress.Parse("10.1.2.3"), 11_111);
        Assert.Equal(
            isOver,
            NodeIds.IsOver(
                NodeIds.Of(SiloAddress.New(endpoint, started)),
                NodeIds.Of(SiloAddress.New(endpoint, selfStarted)),
                TimeSpan.FromSeconds(age)));
    }

    [Fact]
    public void A_node_fits_into_60_bits() => Assert.All(
        NodeIds.AllOf(SiloAddress.New(new IPEndPoint(IPAddress.Parse("10.1.2.3"), 11_111), int.MaxValue)),
        node => Assert.InRange(node.Value, 1, (1L << 60) - 1));

    [Fact]
    public void The_engines_of_a_silo_are_nodes_that_differ_in_their_number_alone()
    {
        var silo = SiloAddress.New(new IPEndPoint(IPAddress.Parse("10.1.2.3"), 11_111), 500);
        var first = NodeIds.Of(silo);
        var nodes = NodeIds.AllOf(silo).ToArray();

        Assert.Equal(first, nodes[0]);
        Assert.Equal(NodeIds.EnginesMax, nodes.Distinct().Count());
        Assert.All(nodes, node => Assert.Equal(NodeIds.SiloOf(first), NodeIds.SiloOf(node)));
        Assert.Equal(Enumerable.Range(0, NodeIds.EnginesMax), nodes.Select(node => NodeIds.EngineOf(node, first)));
        Assert.All(nodes, node => Assert.Equal(500, NodeIds.StartedAt(node)));
    }

    [Fact]
    public void The_first_engine_is_the_node_that_a_silo_with_one_has_always_been() => Assert.Equal(
        268_820_779_576,
        NodeIds.Of(SiloAddress.New(new IPEndPoint(IPAddress.Parse("10.1.2.3"), 11_111), 500)).Value);
}
