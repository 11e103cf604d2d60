using Azure;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using Polyjuice.Tracing;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>
/// Reads traces from a container of Azure Storage that <see cref="AzureBlobTraceSink"/> writes into. Thread-safe. Who
/// asks needs the role <c>Storage Blob Data Reader</c> on the container, and <c>Storage Blob Data Contributor</c> if
/// files are to be deleted.
/// </summary>
/// <param name="container">The container.</param>
/// <param name="prefix">What all blob names begin with, as the sink has it; a folder ends with a slash.</param>
internal sealed class AzureBlobTraceSource(BlobContainerClient container, string prefix = "") : ITraceSource
{
    private const int BufferBytes = 4 << 20;

    /// <inheritdoc/>
    public string Location { get; } = $"{container.Uri.GetLeftPart(UriPartial.Path)}/{prefix}";

    /// <inheritdoc/>
    public async Task<IReadOnlyList<TraceFileInfo>> ListAsync(CancellationToken cancellationToken)
    {
        var files = new List<TraceFileInfo>();
        try
        {
            await foreach (var blob in container.GetBlobsAsync(prefix: prefix, cancellationToken: cancellationToken)
                .ConfigureAwait(false))
            {
                var name = blob.Name[prefix.Length..];
                if (name.Contains('/', StringComparison.Ordinal)
                    || !name.EndsWith(TraceFileInfo.Extension, StringComparison.Ordinal)) continue;
                files.Add(
                    new TraceFileInfo(
                        name,
                        blob.Properties.ContentLength ?? 0,
                        blob.Properties.LastModified ?? DateTimeOffset.UnixEpoch));
            }
        }
        catch (RequestFailedException exception)
        {
            throw Failed("list traces", exception);
        }

        return files;
    }

    /// <inheritdoc/>
    public Stream Open(string name)
    {
        try
        {
            // A blob that its silo goes on appending to is read as far as it goes now.
            return container.GetBlobClient(prefix + name)
                .OpenRead(new BlobOpenReadOptions(allowModifications: true) { BufferSize = BufferBytes });
        }
        catch (RequestFailedException exception) when (exception.Status == 404)
        {
            throw new FileNotFoundException($"There is no trace {name} in {Location}.", name, exception);
        }
        catch (RequestFailedException exception)
        {
            throw Failed($"read {name}", exception);
        }
    }

    /// <inheritdoc/>
    public async Task DeleteAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            await container.DeleteBlobIfExistsAsync(
                prefix + name, cancellationToken: cancellationToken).ConfigureAwait(false);
        }
        catch (RequestFailedException exception)
        {
            throw Failed($"delete {name}", exception);
        }
    }

    private IOException Failed(string what, RequestFailedException exception) =>
        new($"Polyjuice can't {what} in {Location} ({exception.Status} {exception.ErrorCode}).", exception);
}
