using System.Net;
using Azure.Data.Tables;
using SiloHosting.Settings;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;

namespace SiloHosting.Clustering;

/// <summary>Turns settings into a silo's place in a cluster, and its logs.</summary>
internal static class SiloBuilderExtensions
{
    /// <summary>Sets names, addresses and membership.</summary>
    public static ISiloBuilder UseClustering(this ISiloBuilder silo, SiloSettings settings)
    {
        var address = IPAddress.Parse(settings.AdvertisedAddress ?? IPAddress.Loopback.ToString());
        silo.Configure<ClusterOptions>(options =>
        {
            options.ClusterId = settings.ClusterId;
            options.ServiceId = settings.ServiceId;
        });
        silo.Configure<SiloOptions>(options => options.SiloName = settings.Name ?? Environment.MachineName);
        silo.Configure<EndpointOptions>(options =>
        {
            options.AdvertisedIPAddress = address;
            options.SiloPort = settings.SiloPort;
            options.GatewayPort = settings.GatewayPort;

            // In a pod all of its addresses; on one's own machine nobody else's business.
            var listen = settings.Clustering == SiloClustering.Localhost ? address : IPAddress.Any;
            options.SiloListeningEndpoint = new IPEndPoint(listen, settings.SiloPort);
            options.GatewayListeningEndpoint = new IPEndPoint(listen, settings.GatewayPort);
        });
        return settings.Clustering switch
        {
            SiloClustering.AzureTable => silo.UseAzureStorageClustering(
                options =>
                    options.TableServiceClient = new TableServiceClient(settings.ClusteringConnectionString)),
            _ =>
                silo.UseDevelopmentClustering(settings.PrimaryPort is 0
                    ? null
                    : new IPEndPoint(address, settings.PrimaryPort)),
        };
    }

    /// <summary>Sets where transaction logs are.</summary>
    public static ISiloBuilder AddLogs(this ISiloBuilder silo, SiloSettings settings) => settings.Logs switch
    {
        SiloLogs.AzureBlobs => silo.AddAzureBlobLogAsDefault(
            (OptionsBuilder<AzureBlobLogOptions> options) => options.BindConfiguration(
                SiloSettings.AzureBlobLogSection)),
        SiloLogs.Files => silo.AddFileLogAsDefault(
            options => silo.Configuration.GetSection(SiloSettings.FileLogSection).Bind(options)),
        _ => silo.AddMemoryLogAsDefault(),
    };
}
