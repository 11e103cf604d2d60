using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Hosting;

namespace BankAccount;

/// <summary>The host that has the grains, set up as an application does it.</summary>
internal static class Bank
{
    /// <summary>Makes the host; start it, and stop it at the end.</summary>
    /// <param name="siloPort">Where silos speak to each other, as other processes reach it.</param>
    /// <param name="gatewayPort">Where clients come in, likewise.</param>
    /// <param name="cluster">The cluster's name: two of one name, in one process, would be one.</param>
    public static IHost Build(int siloPort = 11_111, int gatewayPort = 30_000, string cluster = "dev")
    {
        var builder = Host.CreateApplicationBuilder();

        // Accounts end with this process, and no advice for servers, which this is not.
        builder.Logging.SetMinimumLevel(LogLevel.Warning).AddFilter("Orleans.Runtime", LogLevel.Error);
        builder.UseOrleans(silo => silo
            .UseLocalhostClustering(siloPort, gatewayPort, serviceId: cluster, clusterId: cluster)
            .UsePolyjuice(options => options.Policy = "ic3")
            .AddMemoryLogAsDefault());
        return builder.Build();
    }
}
