using Azure.Storage.Blobs;
using BankSilo.Settings;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Storage.AzureBlobs;

namespace BankSilo.Training;

/// <summary>Connects a silo with the trainer: it writes traces, and follows what is published.</summary>
internal static class SiloBuilderExtensions
{
    /// <summary>Does what settings ask for, in the storage account of the logs.</summary>
    public static ISiloBuilder AddTraining(this ISiloBuilder silo, SiloSettings settings)
    {
        if (settings.TraceContainer is { Length: > 0 } traces)
            silo.Services.AddOptions<PolyjuiceOptions>().Configure(options => options.TraceSink = new AzureBlobTraceSink(Container(silo, traces)));
        return settings.PolicyContainer is { Length: > 0 } policies ? silo.AddAzureBlobPolicyStore(_ => Container(silo, policies), prefix: "") : silo;
    }

    private static BlobContainerClient Container(ISiloBuilder silo, string name) => new(silo.Configuration[$"{SiloSettings.AzureBlobLogSection}:ConnectionString"], name);
}
