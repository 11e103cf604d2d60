using Microsoft.Extensions.Logging;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Storage;
using Polyjuice.Testing;

namespace Polyjuice.Orleans.Tests.Groups;

/// <summary>Silos, and logs, that know the same classes with other groups.</summary>
public sealed class MixedGroupsTests
{
    private readonly RefusedSilo _refused = new();

    [Fact]
    public async Task A_silo_that_declares_another_group_does_not_join()
    {
        var builder = new InProcessTestClusterBuilder(1);
        builder.ConfigureSilo((options, silo) =>
        {
            _refused.Watch(silo).ConfigureLogging(logging => logging.SetMinimumLevel(LogLevel.Warning)).UsePolyjuice();
            if (options.SiloName != "Silo_0") new OtherRules().With<ShelfGrain, OtherRules.ByTen>().Use(silo);
        });
        await using var cluster = builder.Build();
        await cluster.DeployAsync();
        await cluster.Client.GetGrain<IShelf>(1).Add(1);

        var refusal = await _refused.StartAsync(cluster);

        Assert.Contains(
            "The class of grain type shelf declares another transaction group",
            refusal?.ToString(),
            StringComparison.Ordinal);
        Assert.Equal(1, await cluster.Client.GetGrain<IShelf>(1).Get());
    }

    [Fact]
    public async Task Where_nothing_can_be_noted_recovery_refuses_states_that_belong_elsewhere()
    {
        var logs = new MemoryLogStore(8);
        await using (var cluster = await PolyjuiceTestCluster.StartAsync(
            options => (options.Silos, options.Logs) = (1, logs)))
        {
            for (var shelf = 0; shelf < 40; shelf++) await cluster.Grains.GetGrain<IShelf>(shelf * 7).Add(1);
        }

        var other = new OtherRules().With<ShelfGrain, OtherRules.ByTen>();
        var refusal = await Record.ExceptionAsync(() => PolyjuiceTestCluster.StartAsync(options =>
            (options.Silos, options.Logs, options.ConfigureSilo) = (1, logs, other.Use)));

        Assert.Contains("State 'items' of grain shelf/", refusal?.ToString(), StringComparison.Ordinal);
        Assert.Contains("its class ShelfGrain declares", refusal?.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Logs_whose_states_belong_where_they_are_are_taken_whatever_is_declared()
    {
        var logs = new MemoryLogStore(1);
        await using (var cluster = await PolyjuiceTestCluster.StartAsync(
            options => (options.Silos, options.Logs) = (1, logs)))
            await cluster.Grains.GetGrain<IShelf>(1).Add(1);

        var other = new OtherRules().With<ShelfGrain, OtherRules.ByTen>();
        await using var next = await PolyjuiceTestCluster.StartAsync(
            options => (options.Silos, options.Logs, options.ConfigureSilo) = (1, logs, other.Use));

        Assert.Equal(1, await next.Grains.GetGrain<IShelf>(1).Get());
    }
}
