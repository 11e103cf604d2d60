using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Hosting;

namespace BankAccount;

/// <summary>The host that has the grains, set up as an application does it.</summary>
internal static class Bank
{
    /// <summary>Makes the host; start it, and stop it at the end.</summary>
    /// <param name="siloPort">Where silos speak to each other, where they do that over the network.</param>
    /// <param name="gatewayPort">Where clients come in, likewise.</param>
    public static IHost Build(int siloPort = 11_111, int gatewayPort = 30_000)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        builder.UseOrleans(silo => GrainHost.Configure(silo
            .UseLocalhostClustering(siloPort, gatewayPort)
            .UsePolyjuice(options => options.Policy = "ic3")));
        return builder.Build();
    }
}
