using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.TestingHost;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Calls;

/// <summary>
/// Orleans sends all calls through its pipeline of filters as soon as there is one. There must be none of ours.
/// </summary>
public sealed class PlainCallTests
{
    private const string Pipeline = "GrainMethodInvoker";

    [Fact]
    public async Task Neither_silos_nor_clients_have_a_filter_for_all_calls()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(
            1, configureClient: client => client.UsePolyjuice());
        foreach (var services in (IServiceProvider[])[cluster.GetSiloServiceProvider(), cluster.Client.ServiceProvider])
        {
            Assert.Empty(services.GetServices<IIncomingGrainCallFilter>());
            Assert.Empty(services.GetServices<IOutgoingGrainCallFilter>());
        }
    }

    [Fact]
    public async Task References_to_grains_without_transactional_methods_are_those_of_Orleans()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(
            1, configureClient: client => client.UsePolyjuice());
        foreach (var services in (IServiceProvider[])[cluster.GetSiloServiceProvider(), cluster.Client.ServiceProvider])
        {
            var grains = services.GetRequiredService<IGrainFactory>();
            Assert.IsNotType<CallRuntime>(RuntimeOf(grains.GetGrain<IManagementGrain>(1)));
            Assert.IsNotType<CallRuntime>(RuntimeOf(grains.GetGrain<IBox<int>>(1).AsReference<IManagementGrain>()));
            Assert.IsType<CallRuntime>(RuntimeOf(grains.GetGrain<IAccount>(1)));
            Assert.IsType<CallRuntime>(RuntimeOf(grains.GetGrain<IBox<int>>(1)));
        }

        // By which a reference makes its calls; Orleans shows it to nobody.
        static object RuntimeOf(IAddressable reference) =>
            typeof(GrainReference).GetProperty("Runtime", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(
                reference)!;
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_plain_call_goes_through_the_pipeline_only_if_the_application_has_a_filter(bool hasFilter)
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1, silo =>
        {
            if (hasFilter) silo.AddIncomingGrainCallFilter(new Passing());
        });

        Assert.Equal(
            hasFilter,
            (await cluster.Client.GetGrain<IBox<int>>(1).Trace()).Contains(Pipeline, StringComparison.Ordinal));

        // A grain's own filter concerns its class alone.
        Assert.Contains(Pipeline, await cluster.Client.GetGrain<IWatched>(1_000).Trace(), StringComparison.Ordinal);
    }

    private sealed class Passing : IIncomingGrainCallFilter
    {
        public Task Invoke(IIncomingGrainCallContext context) => context.Invoke();
    }
}
