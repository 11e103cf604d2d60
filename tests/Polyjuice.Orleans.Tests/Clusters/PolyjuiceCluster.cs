using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Hosting;
using Orleans.TestingHost;

namespace Polyjuice.Orleans.Tests.Clusters;

/// <summary>A real cluster in this process, whose silos speak over sockets.</summary>
internal static class PolyjuiceCluster
{
    /// <summary>
    /// With nearly all the time that a caller waits for an answer: what a test
    /// does not make short must succeed, however long the machine stands still.
    /// </summary>
    public static Task<InProcessTestCluster> StartAsync(
        int silos, Action<ISiloBuilder>? configure = null, Action<IClientBuilder>? configureClient = null) =>
        DeployAsync(
            silos,
            silo => silo.UsePolyjuice(options => options.Engine.TransactionTimeoutMicroseconds = 25_000_000),
            configure,
            configureClient);

    /// <summary>The same with Orleans' own engine.</summary>
    public static Task<InProcessTestCluster> StartOrleansAsync(int silos, Action<ISiloBuilder> configure) =>
        DeployAsync(silos, silo => silo.UseTransactions(), configure, null);

    private static async Task<InProcessTestCluster> DeployAsync(
        int silos, Action<ISiloBuilder> use, Action<ISiloBuilder>? configure, Action<IClientBuilder>? configureClient)
    {
        var builder = new InProcessTestClusterBuilder((short)silos);
        builder.ConfigureSilo((_, silo) =>
        {
            silo.ConfigureLogging(logging => logging.SetMinimumLevel(LogLevel.Warning));
            use(silo);
            configure?.Invoke(silo);
        });
        if (configureClient is not null) builder.ConfigureClient(configureClient);
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return cluster;
    }
}
