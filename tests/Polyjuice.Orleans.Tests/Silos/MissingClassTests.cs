using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.TestingHost;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Silos;

/// <summary>Silos that do not all have the same grain classes.</summary>
public sealed class MissingClassTests
{
    private const int Accounts = 32;
    private readonly LogLines _lines = new("Polyjuice.Orleans");

    [Fact]
    public async Task A_grain_whose_place_has_no_class_for_it_says_so_and_the_others_work()
    {
        var builder = new InProcessTestClusterBuilder(2);
        builder.ConfigureSilo((options, silo) =>
        {
            silo.UsePolyjuice().ConfigureLogging(
                logging => logging.SetMinimumLevel(LogLevel.Warning).AddProvider(_lines));
            if (options.SiloName == "Silo_1")
                silo.Services.PostConfigure<GrainTypeOptions>(grains => grains.Classes.Remove(typeof(AccountGrain)));
        });
        await using var cluster = builder.Build();
        await cluster.DeployAsync();
        await cluster.WaitForLivenessToStabilizeAsync();
        var lacking = cluster.Silos[1].SiloAddress;
        var silo = cluster.GetSiloServiceProvider(cluster.Silos[0].SiloAddress).GetRequiredService<IPolyjuiceSilo>();

        var refused = 0;
        for (var key = 0; key < Accounts; key++)
        {
            var account = cluster.Client.GetGrain<IAccount>(key);
            if (lacking.Equals(silo.OwnerOf(account.GetGrainId())))
            {
                var exception = await Assert.ThrowsAnyAsync<OrleansException>(() => account.Deposit(1));
                Assert.Contains(
                    $"{lacking}, which serves its log partition", exception.ToString(), StringComparison.Ordinal);
                refused++;
            }
            else
            {
                await account.Deposit(1);
                Assert.Equal(1, await account.GetBalance());
            }
        }

        Assert.InRange(refused, 1, Accounts - 1);
        var warning = Assert.Single(
            _lines.All, line => line.Text.Contains("has no class of grain type account", StringComparison.Ordinal));
        Assert.Equal(LogLevel.Warning, warning.Level);
        Assert.Contains(lacking.ToString(), warning.Text, StringComparison.Ordinal);
    }
}
