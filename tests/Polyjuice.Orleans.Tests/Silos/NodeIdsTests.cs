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
    public void A_node_fits_into_60_bits() =>
        Assert.InRange(
            NodeIds.Of(SiloAddress.New(new IPEndPoint(IPAddress.Parse("10.1.2.3"), 11_111), int.MaxValue)).Value,
            1,
            (1L << 60) - 1);
}
