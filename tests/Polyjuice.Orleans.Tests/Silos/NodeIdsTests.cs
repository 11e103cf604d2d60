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
}
