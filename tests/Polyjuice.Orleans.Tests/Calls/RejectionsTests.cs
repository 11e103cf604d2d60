using System.Reflection;
using Orleans.Runtime;
using Orleans.Runtime.Placement;
using Orleans.TestingHost;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Calls;

public sealed class RejectionsTests
{
    // Orleans' own exception, as its placement makes it: should its words change, this fails, and not a caller.
    [Fact]
    public async Task What_a_stopping_silo_does_not_place_has_not_run()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1);
        var placement = PlacementOf(cluster);
        var target = new PlacementTarget(cluster.Client.GetGrain<IAccount>(1).GetGrainId(), [], default, 0);
        Assert.Single(placement.GetCompatibleSilos(target));

        await cluster.StopSiloAsync(cluster.Silos[0]);

        var exception = Assert.Throws<SiloUnavailableException>(() => placement.GetCompatibleSilos(target));
        Assert.True(Rejections.HasNotRun(exception), exception.Message);
    }

    [Theory]
    [InlineData("The target silo became unavailable for message: Request. See … for troubleshooting help.")]
    [InlineData("The local Orleans host is shutting down and can no longer process the request: Request.")]
    [InlineData("Silo 'S127.0.0.1:11111:1' is no longer active")]
    public void What_a_silo_was_lost_with_may_have_run(string message) =>
        Assert.False(Rejections.HasNotRun(new SiloUnavailableException(message)));

    private static IPlacementContext PlacementOf(InProcessTestCluster cluster)
    {
        var service = typeof(Silo).Assembly.GetType("Orleans.Runtime.Placement.PlacementService", throwOnError: true)!;
        return (IPlacementContext)cluster.GetSiloServiceProvider().GetService(service)!;
    }
}
