using Azure.Storage.Blobs;
using SiloHosting.Settings;
using Microsoft.Extensions.Configuration;
using Orleans.Hosting;

namespace SiloHosting;

/// <summary>The storage account that the logs are in, and all else that silos share.</summary>
internal static class LogAccount
{
    /// <summary>A container there. Nothing is asked of it yet.</summary>
    public static BlobContainerClient Container(ISiloBuilder silo, string name) =>
        new(silo.Configuration[$"{SiloSettings.AzureBlobLogSection}:ConnectionString"], name);
}
