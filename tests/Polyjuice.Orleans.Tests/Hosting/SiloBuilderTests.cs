using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;
using Polyjuice.Policies;
using Polyjuice.Storage;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Orleans.Tests.Hosting;

/// <summary>What applications do with a silo that they have not left to the configuration.</summary>
public sealed class SiloBuilderTests
{
    [Fact]
    public async Task Logs_are_on_the_device_that_an_application_brings()
    {
        using var folder = new TestFolder();
        var tries = 0;
        for (var start = 1; start <= 2; start++)
        {
            await using var cluster = await PolyjuiceCluster.StartAsync(1, silo => silo
                .AddDeviceLog("own", OpenAsync, options => options.NewPartitions = 3)
                .UsePolyjuice(options => options.LogProvider = "own"));
            await cluster.Client.GetGrain<IAccount>(1).Deposit(1);

            // What the silo before has committed is there: it has given the device back.
            Assert.Equal(start, await cluster.Client.GetGrain<IAccount>(1).GetBalance());
            Assert.Equal(3, SiloOf(cluster).Readiness.Partitions);
        }

        Assert.Equal(2, tries);

        Task<ILogDevice> OpenAsync(CancellationToken cancellationToken)
        {
            tries++;
            return Task.FromResult<ILogDevice>(new FileLogDevice(folder.Path, flush: false));
        }
    }

    [Fact]
    public async Task A_table_is_swapped_by_its_name_and_what_is_none_changes_nothing()
    {
        await using var cluster = await PolyjuiceCluster.StartAsync(1);
        var silo = SiloOf(cluster);

        silo.SwapPolicy("ic3");
        Assert.Throws<ArgumentException>(() => silo.SwapPolicy("no such table"));
        Assert.Throws<FileNotFoundException>(() => silo.SwapPolicy("no-such-file.json"));

        var policies = cluster.GetSiloServiceProvider(cluster.Silos[0].SiloAddress).GetRequiredService<PolicyStore>();
        Assert.Equal("ic3", policies.Policy.Name);
    }

    private static IPolyjuiceSilo SiloOf(global::Orleans.TestingHost.InProcessTestCluster cluster) =>
        cluster.GetSiloServiceProvider(cluster.Silos[0].SiloAddress).GetRequiredService<IPolyjuiceSilo>();
}
