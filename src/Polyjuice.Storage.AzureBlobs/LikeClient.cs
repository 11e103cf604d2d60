using Azure.Core;
using Azure.Storage.Blobs;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>Makes a client of the same account, with the same credential, and with other options.</summary>
internal sealed class LikeClient : BlobServiceClient
{
    // The base class shows its credential to classes below it alone.
    private LikeClient()
    {
    }

    /// <summary>Makes it.</summary>
    /// <param name="client">The one that it is like.</param>
    /// <param name="options">Its options.</param>
    public static BlobServiceClient Of(BlobServiceClient client, BlobClientOptions options)
    {
        // Signs what is sent in the end. There is none where a signature is part of the address.
        if (GetAuthenticationPolicy(client) is { } credential)
            options.AddPolicy(credential, HttpPipelinePosition.BeforeTransport);
        return new BlobServiceClient(client.Uri, options);
    }
}
