using Azure.Core;
using Azure.Storage.Blobs;
using Orleans.Configuration;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>Makes the client that options ask for.</summary>
internal static class BlobClients
{
    public static BlobContainerClient Container(AzureBlobLogOptions options)
    {
        var client = new BlobClientOptions();
        client.Retry.Mode = RetryMode.Exponential;
        client.Retry.MaxRetries = options.RetriesMax;
        client.Retry.Delay = options.RetryDelay;
        client.Retry.MaxDelay = options.RetryDelayMax;
        client.Retry.NetworkTimeout = options.RequestTimeout;
        client.Diagnostics.ApplicationId = "Polyjuice";
        client.AddPolicy(new RequestCount.Policy(), HttpPipelinePosition.PerRetry);
        var service = Service(options, client);
        if (client.GeoRedundantSecondaryUri is not null)
        {
            throw new InvalidOperationException(
                "AzureBlobLogOptions.CreateClient set GeoRedundantSecondaryUri. The secondary is behind the primary, "
                + "and a log that was read there would miss what was committed: leave it out.");
        }

        return service.GetBlobContainerClient(options.ContainerName);
    }

    private static BlobServiceClient Service(AzureBlobLogOptions options, BlobClientOptions client)
    {
        if (options.CreateClient is { } create)
            return create(client)
                ?? throw new InvalidOperationException("AzureBlobLogOptions.CreateClient returned no client.");
        if (options.ServiceClient is { } service) return LikeClient.Of(service, client);
        if (options.ServiceUri is { } uri)
            return options.Credential is { } credential
                ? new BlobServiceClient(uri, credential, client)
                : new BlobServiceClient(uri, client);
        try
        {
            return new BlobServiceClient(options.ConnectionString, client);
        }
        catch (FormatException exception)
        {
            // Its text may quote the secret.
            throw new InvalidOperationException(
                $"AzureBlobLogOptions.ConnectionString can't be read ({exception.GetType().Name}). Copy it again from "
                + "the storage account's access keys.");
        }
    }
}
