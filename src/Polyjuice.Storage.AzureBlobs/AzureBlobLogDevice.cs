using Azure;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Blobs.Specialized;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>
/// A container of blobs: segments are append blobs, objects are block blobs. The condition on an append's position is
/// the fence, so several processes may use it at once.
/// </summary>
internal sealed partial class AzureBlobLogDevice : ILogDevice
{
    // Not a name that callers may use, so that it can't meet one of theirs.
    internal const string LockName = "_lock";
    private readonly BlobContainerClient _container;
    private readonly AzureBlobDeviceSettings _settings;
    private readonly string _prefix;
    private readonly AzureErrors _errors;

    public AzureBlobLogDevice(BlobContainerClient container, AzureBlobDeviceSettings settings)
    {
        _container = container;
        _settings = settings;
        _prefix = settings.KeyPrefix.Length == 0 || settings.KeyPrefix.EndsWith('/')
            ? settings.KeyPrefix
            : settings.KeyPrefix + "/";

        // Without the query, which may be a shared access signature.
        Location = $"{container.Uri.GetLeftPart(UriPartial.Path).TrimEnd('/')}/{_prefix}".TrimEnd('/');
        _errors = new AzureErrors(Location, container.Name);
    }

    /// <inheritdoc/>
    public string Location { get; }

    /// <inheritdoc/>
    public bool MayTear => false;

    /// <summary>What every version of the service, and its emulators, take.</summary>
    public int AppendBytesMax => 4 << 20;

    /// <inheritdoc/>
    public int AppendsPerSegmentMax => _settings.AppendsPerSegmentMax;

    /// <summary>Looks whether the container is there, and makes it if that is asked for.</summary>
    public async Task PrepareAsync(bool create, CancellationToken cancellationToken)
    {
        var count = new RequestCount();
        try
        {
            using (count.Begin())
                await _container.GetPropertiesAsync(cancellationToken: cancellationToken).ConfigureAwait(false);
        }
        catch (RequestFailedException exception) when (exception.ErrorCode == BlobErrorCode.ContainerNotFound && create)
        {
            await CallAsync(
                "create the container of",
                "",
                () => _container.CreateIfNotExistsAsync(cancellationToken: cancellationToken),
                cancellationToken)
                .ConfigureAwait(false);
        }
        catch (RequestFailedException exception) when (exception.Status == 403)
        {
            // A signature for the container's blobs only does not allow to look at
            // the container itself. Whether this is one, the first blob will show.
        }
        catch (Exception exception) when (!IsCancelled(exception, cancellationToken))
        {
            throw _errors.Explain(exception, "look at", "");
        }

        if (count.Sent == 0)
        {
            throw new InvalidOperationException(
                "AzureBlobLogOptions.CreateClient made a client without the BlobClientOptions that it was given; pass "
                + "them to the BlobServiceClient. Without them, an append that the client repeats by itself could be "
                + "taken for a rival's.");
        }
    }

    /// <inheritdoc/>
    public async ValueTask<ILogDeviceLock> LockAsync(string holder, CancellationToken cancellationToken) =>
        await BlobLease.TakeAsync(
            _container.GetBlockBlobClient(_prefix + LockName),
            holder,
            Location,
            _errors,
            _settings,
            cancellationToken)
            .ConfigureAwait(false);

    /// <inheritdoc/>
    public async ValueTask<IReadOnlyList<LogDeviceEntry>> ListAsync(string prefix, CancellationToken cancellationToken)
    {
        var entries = new List<LogDeviceEntry>();
        try
        {
            var pages = _container.GetBlobsAsync(prefix: _prefix + prefix, cancellationToken: cancellationToken)
                .AsPages(pageSizeHint: _settings.ListPageSize);
            await foreach (var page in pages.ConfigureAwait(false))
            {
                foreach (var blob in page.Values)
                {
                    var name = blob.Name[_prefix.Length..];
                    if (name != LockName) entries.Add(new LogDeviceEntry(name, blob.Properties.ContentLength ?? 0));
                }
            }
        }
        catch (Exception exception) when (!IsCancelled(exception, cancellationToken))
        {
            throw _errors.Explain(exception, "list", prefix);
        }

        entries.Sort(static (a, b) => string.CompareOrdinal(a.Name, b.Name));
        return entries;
    }

    /// <inheritdoc/>
    public async ValueTask<long> GetLengthAsync(string name, CancellationToken cancellationToken)
    {
        var blob = Blob(name);
        var properties = await CallAsync(
            "look at", name, () => blob.GetPropertiesAsync(cancellationToken: cancellationToken), cancellationToken)
            .ConfigureAwait(false);
        return properties.Value.ContentLength;
    }

    /// <inheritdoc/>
    public ValueTask TruncateAsync(string segment, long length, CancellationToken cancellationToken) =>
        ValueTask.FromException(
            new NotSupportedException(
                "An append to a blob is there as a whole or not at all: there is nothing to cut."));

    /// <inheritdoc/>
    public async ValueTask DeleteAsync(string name, CancellationToken cancellationToken)
    {
        var blob = Blob(name);
        await CallAsync(
            "delete",
            name,
            () => blob.DeleteIfExistsAsync(
                DeleteSnapshotsOption.IncludeSnapshots, cancellationToken: cancellationToken),
            cancellationToken)
            .ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private BlobClient Blob(string name) => _container.GetBlobClient(_prefix + name);

    private async Task<T> CallAsync<T>(
        string what, string name, Func<Task<T>> call, CancellationToken cancellationToken)
    {
        try
        {
            return await call().ConfigureAwait(false);
        }
        catch (Exception exception) when (!IsCancelled(exception, cancellationToken))
        {
            throw _errors.Explain(exception, what, name);
        }
    }

    /// <summary>Whether the caller gave up; the client reports a request that took too long in the same way.</summary>
    private static bool IsCancelled(Exception exception, CancellationToken cancellationToken) =>
        exception is OperationCanceledException && cancellationToken.IsCancellationRequested;
}
