using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Hosting;
using Orleans.TestingHost;

namespace Polyjuice.Orleans.Tests.Clusters;

/// <summary>A real cluster in this process, whose silos speak over sockets.</summary>
internal static class PolyjuiceCluster
{
    public static async Task<InProcessTestCluster> StartAsync(int silos, Action<ISiloBuilder>? configure = null, Action<IClientBuilder>? configureClient = null)
    {
        var builder = new InProcessTestClusterBuilder((short)silos);
        builder.ConfigureSilo((_, silo) =>
        {
            silo.ConfigureLogging(logging => logging.SetMinimumLevel(LogLevel.Warning));
            silo.UsePolyjuice();
            configure?.Invoke(silo);
        });
        if (configureClient is not null) builder.ConfigureClient(configureClient);
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return cluster;
    }
}
