using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Tests.Storages;
using Polyjuice.Orleans.Tests.Clusters;
using Polyjuice.Orleans.Tests.Grains;

namespace Polyjuice.Orleans.Tests.Rows;

/// <summary>Silos that would keep one state in two places do not form a cluster.</summary>
public sealed class MixedStoragesTests
{
    private readonly StoredRows _rows = new();
    private readonly RefusedSilo _refused = new();

    [Fact]
    public async Task A_silo_that_keeps_states_elsewhere_does_not_join()
    {
        var builder = new InProcessTestClusterBuilder(1);
        builder.ConfigureSilo((options, silo) => _refused.Watch(silo)
            .ConfigureLogging(logging => logging.SetMinimumLevel(LogLevel.Warning))
            .AddStoredGrainStorage(RowAccountGrain.Storage, _rows)
            .UsePolyjuice(
                polyjuice => polyjuice.StateStorage = options.SiloName == "Silo_0"
                    ? StateStorage.Registered
                    : StateStorage.Log));
        await using var cluster = builder.Build();
        await cluster.DeployAsync();
        await OrleansRowTests.Account(cluster, 1).Deposit(10);

        var refusal = await _refused.StartAsync(cluster);

        Assert.Contains("in another place than this silo", refusal?.ToString(), StringComparison.Ordinal);
        Assert.Equal(15, await OrleansRowTests.Account(cluster, 1).Deposit(5));
        Assert.Single(_rows.Keys);
    }
}
