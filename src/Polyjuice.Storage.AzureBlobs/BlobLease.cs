using Azure;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Blobs.Specialized;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>The lock: a lease on a blob that exists for this.</summary>
internal static class BlobLease
{
    private const string HolderKey = "holder";
    private const int HolderCharactersMax = 1_000;

    public static async Task<ILogDeviceLock> TakeAsync(
        BlockBlobClient blob, string holder, string location, AzureErrors errors, AzureBlobDeviceSettings settings,
        CancellationToken cancellationToken)
    {
        // Asking again with the same id answers as the first time, so
        // that a repetition does not find this very lease in its way.
        var lease = blob.GetBlobLeaseClient(Guid.NewGuid().ToString());
        long asked;
        try
        {
            await MakeAsync(blob, cancellationToken).ConfigureAwait(false);
            asked = settings.Time.GetTimestamp();
            await lease.AcquireAsync(
                settings.LeaseDuration, cancellationToken: cancellationToken).ConfigureAwait(false);
        }
        catch (RequestFailedException exception) when (exception.ErrorCode == BlobErrorCode.LeaseAlreadyPresent)
        {
            throw LogDeviceLockedException.OfShared(
                location, await HolderAsync(blob, cancellationToken).ConfigureAwait(false), "container or key prefix",
                settings.LeaseDuration, exception);
        }
        catch (Exception exception)
            when (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            throw errors.Explain(exception, "lock", "");
        }

        var taken = new RenewedLock(
            settings.LeaseDuration, asked, settings.Time, token => RenewAsync(lease, token),
            token => lease.ReleaseAsync(cancellationToken: token));
        try
        {
            var name = Uri.EscapeDataString(holder);
            var metadata = new Dictionary<string, string>
            {
                [HolderKey] = name[..Math.Min(name.Length, HolderCharactersMax)]
            };
            await blob.SetMetadataAsync(
                metadata, new BlobRequestConditions { LeaseId = lease.LeaseId }, cancellationToken)
                .ConfigureAwait(false);
            return taken;
        }
        catch (Exception exception)
        {
            await taken.DisposeAsync().ConfigureAwait(false);
            if (exception is OperationCanceledException && cancellationToken.IsCancellationRequested) throw;
            throw errors.Explain(exception, "lock", "");
        }
    }

    private static async Task MakeAsync(BlockBlobClient blob, CancellationToken cancellationToken)
    {
        try
        {
            using var nothing = new MemoryStream();
            await blob.UploadAsync(
                nothing, new BlobUploadOptions { Conditions = new BlobRequestConditions { IfNoneMatch = ETag.All } },
                cancellationToken)
                .ConfigureAwait(false);
        }
        catch (RequestFailedException exception)
            when (exception.ErrorCode == BlobErrorCode.BlobAlreadyExists
                || exception.ErrorCode == BlobErrorCode.ConditionNotMet
                || exception.ErrorCode == BlobErrorCode.LeaseIdMissing)
        {
            // Made by an earlier process, and maybe leased right now.
        }
    }

    private static async Task<string?> HolderAsync(
        BlockBlobClient blob, CancellationToken cancellationToken)
    {
        try
        {
            var properties = await blob.GetPropertiesAsync(cancellationToken: cancellationToken).ConfigureAwait(false);
            return properties.Value.Metadata.TryGetValue(HolderKey, out var holder) && holder.Length > 0
                ? Uri.UnescapeDataString(holder)
                : null;
        }
        catch (Exception) when (!cancellationToken.IsCancellationRequested)
        {
            return null;
        }
    }

    private static async Task<bool> RenewAsync(BlobLeaseClient lease, CancellationToken cancellationToken)
    {
        try
        {
            await lease.RenewAsync(cancellationToken: cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (RequestFailedException exception) when (exception.Status is 404 or 409 or 412)
        {
            return false;
        }
    }
}
