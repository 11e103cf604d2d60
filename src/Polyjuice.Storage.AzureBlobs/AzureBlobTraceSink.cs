using Azure;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Blobs.Specialized;
using Polyjuice.Tracing;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>
/// Writes traces into a container of Azure Storage, an append blob for each file. Thread-safe. The client is the
/// caller's, with its bounds on requests and repetitions; who asks needs the role <c>Storage Blob Data Contributor</c>
/// on the container, which must be there.
/// </summary>
/// <param name="container">The container.</param>
/// <param name="prefix">What all blob names begin with; a folder ends with a slash.</param>
internal sealed class AzureBlobTraceSink(BlobContainerClient container, string prefix = "") : ITraceSink
{
    /// <inheritdoc/>
    public ITraceSource Source => field ??= new AzureBlobTraceSource(container, prefix);

    /// <inheritdoc/>
    public async Task<Stream> CreateAsync(string name, CancellationToken cancellationToken)
    {
        var blob = container.GetAppendBlobClient(prefix + name);
        try
        {
            await blob.CreateAsync(
                new AppendBlobCreateOptions { Conditions = new AppendBlobRequestConditions { IfNoneMatch = ETag.All } },
                cancellationToken)
                .ConfigureAwait(false);
        }
        catch (RequestFailedException exception)
        {
            throw new IOException(
                $"Polyjuice can't make the trace {prefix}{name} in container '{container.Name}' ({exception.Status} "
                + $"{exception.ErrorCode}).",
                exception);
        }

        return new TraceBlobStream(blob);
    }
}
