using Azure;
using Azure.Storage;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Blobs.Specialized;
using Polyjuice.Publishing;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>
/// Keeps published policies in a container of Azure Storage, a block blob each: <c>PREFIX00000001.json</c> and so on.
/// Of several publishers the service lets one make a blob (<c>If-None-Match: *</c>). Thread-safe. The client is the
/// caller's, with its bounds on requests and repetitions; who publishes or rolls back needs the role <c>Storage Blob
/// Data Contributor</c> on the container, which must be there, and who only follows <c>Storage Blob Data Reader</c>.
/// </summary>
/// <param name="container">The container.</param>
/// <param name="prefix">What all blob names begin with; a folder ends with a slash.</param>
internal sealed class AzureBlobPolicyEntries(
    BlobContainerClient container, string prefix = "policies/") : IPolicyEntries
{
    /// <inheritdoc/>
    public string Location { get; } = new UriBuilder(container.Uri) { Query = "" }.Uri.AbsoluteUri.TrimEnd('/') + "/"
        + prefix;

    /// <inheritdoc/>
    public async ValueTask<int> GetLastAsync(CancellationToken cancellationToken)
    {
        try
        {
            var last = 0;
            var blobs = container.GetBlobsAsync(prefix: prefix, cancellationToken: cancellationToken);
            await foreach (var blob in blobs.ConfigureAwait(false))
                last = Math.Max(last, PolicyEntryName.NumberOf(blob.Name[prefix.Length..]));
            return last;
        }
        catch (Exception exception) when (IsOfService(exception, cancellationToken))
        {
            throw Explain(exception, "list");
        }
    }

    /// <inheritdoc/>
    public async ValueTask<byte[]?> ReadAsync(int number, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(number, 1);
        try
        {
            using var answer =
                (await Blob(number).DownloadStreamingAsync(cancellationToken: cancellationToken)
                    .ConfigureAwait(false)).Value;
            var length = answer.Details.ContentLength;
            if (length > IPolicyEntries.EntryBytesMax)
            {
                throw new InvalidDataException(
                    $"{Location}{PolicyEntryName.Of(number)} has {length} bytes; an entry has at most "
                    + $"{IPolicyEntries.EntryBytesMax}. Somebody else wrote it: move it away.");
            }

            var content = new byte[length];
            await answer.Content.ReadExactlyAsync(content, cancellationToken).ConfigureAwait(false);
            return content;
        }
        catch (RequestFailedException exception) when (exception.ErrorCode == BlobErrorCode.BlobNotFound)
        {
            return null;
        }
        catch (Exception exception) when (IsOfService(exception, cancellationToken))
        {
            throw Explain(exception, $"read {PolicyEntryName.Of(number)} in");
        }
    }

    /// <inheritdoc/>
    public async ValueTask<bool> CreateAsync(
        int number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(number, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(content.Length, IPolicyEntries.EntryBytesMax);
        var options = new BlobUploadOptions
        {
            Conditions = new BlobRequestConditions { IfNoneMatch = ETag.All },
            HttpHeaders = new BlobHttpHeaders { ContentType = "application/json" },

            // One request: it is there whole, or not at all.
            TransferOptions = new StorageTransferOptions
            {
                InitialTransferSize = IPolicyEntries.EntryBytesMax, MaximumTransferSize = IPolicyEntries.EntryBytesMax
            },
        };
        try
        {
            using var body = new MemoryStream(content.ToArray(), writable: false);
            await container.GetBlockBlobClient(prefix + PolicyEntryName.Of(number))
                .UploadAsync(body, options, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (RequestFailedException exception)
            when (exception.ErrorCode == BlobErrorCode.BlobAlreadyExists
                || exception.ErrorCode == BlobErrorCode.ConditionNotMet)
        {
            return false;
        }
        catch (Exception exception) when (IsOfService(exception, cancellationToken))
        {
            throw Explain(exception, $"write {PolicyEntryName.Of(number)} in");
        }
    }

    private BlobClient Blob(int number) => container.GetBlobClient(prefix + PolicyEntryName.Of(number));

    private static bool IsOfService(Exception exception, CancellationToken cancellationToken) =>
        exception is RequestFailedException or AggregateException or HttpRequestException
            || (exception is OperationCanceledException && !cancellationToken.IsCancellationRequested);

    private Exception Explain(Exception exception, string what) => exception switch
    {
        RequestFailedException { Status: 401 or 403 } refused => new UnauthorizedAccessException(
            $"Polyjuice can't {what} {Location} ({refused.Status} {refused.ErrorCode}): this process may not. To "
            + "follow, its identity needs the role 'Storage Blob Data Reader' on the container, and to publish or roll "
            + "back 'Storage Blob Data Contributor'.",
            exception),
        RequestFailedException { Status: > 0 } answer when answer.ErrorCode == BlobErrorCode.ContainerNotFound =>
            new IOException(
                $"Polyjuice can't {what} {Location}: there is no container '{container.Name}'. Create it.", exception),
        RequestFailedException { Status: > 0 } answer => new IOException(
            $"Polyjuice can't {what} {Location}: the service answered {answer.Status} {answer.ErrorCode}.",
            exception),
        _ => new IOException(
            $"Polyjuice can't {what} {Location}: the account can't be reached, or does not answer in time "
            + $"({exception.GetBaseException().Message}).",
            exception),
    };
}
