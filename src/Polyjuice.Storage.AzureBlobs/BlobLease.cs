using Azure;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Blobs.Specialized;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>
/// The lock: a lease on a blob that exists for this, renewed after a third of its time. It counts as lost as soon as the service says so, or when it has not been renewed for five sixths of
/// its time, whatever the reason: nobody else can have it before.
/// </summary>
internal sealed class BlobLease : ILogDeviceLock
{
    private const string HolderKey = "holder";
    private const int HolderCharactersMax = 1_000;
    private static readonly TimeSpan s_releaseTimeout = TimeSpan.FromSeconds(5);
    private readonly BlobLeaseClient _lease;
    private readonly TimeSpan _duration;
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _lost = new();
    private readonly CancellationTokenSource _ended = new();
    private readonly Task _renewing;
    private int _isDisposed;

    private BlobLease(BlobLeaseClient lease, AzureBlobDeviceSettings settings, long taken)
    {
        _lease = lease;
        _duration = settings.LeaseDuration;
        _time = settings.Time;
        Lost = _lost.Token;
        _renewing = Task.Run(() => RenewAsync(taken));
    }

    /// <inheritdoc/>
    public CancellationToken Lost { get; }

    public static async Task<BlobLease> TakeAsync(
        BlockBlobClient blob, string holder, string location, AzureErrors errors, AzureBlobDeviceSettings settings, CancellationToken cancellationToken)
    {
        // Asking again with the same id answers as the first time, so that a repetition does not find this very lease in its way.
        var lease = blob.GetBlobLeaseClient(Guid.NewGuid().ToString());
        long asked;
        try
        {
            await MakeAsync(blob, cancellationToken).ConfigureAwait(false);
            asked = settings.Time.GetTimestamp();
            await lease.AcquireAsync(settings.LeaseDuration, cancellationToken: cancellationToken).ConfigureAwait(false);
        }
        catch (RequestFailedException exception) when (exception.ErrorCode == BlobErrorCode.LeaseAlreadyPresent)
        {
            throw new LogDeviceLockedException(
                $"The logs in {location} are used by {await HolderAsync(blob, cancellationToken).ConfigureAwait(false)}. Stop that first, or use another container or key prefix. "
                + $"If it has died, its lease ends by itself {settings.LeaseDuration.TotalSeconds:0} s after that.", exception);
        }
        catch (Exception exception) when (exception is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            throw errors.Explain(exception, "lock", "");
        }

        var taken = new BlobLease(lease, settings, asked);
        try
        {
            var name = Uri.EscapeDataString(holder);
            var metadata = new Dictionary<string, string> { [HolderKey] = name[..Math.Min(name.Length, HolderCharactersMax)] };
            await blob.SetMetadataAsync(metadata, new BlobRequestConditions { LeaseId = lease.LeaseId }, cancellationToken).ConfigureAwait(false);
            return taken;
        }
        catch (Exception exception)
        {
            await taken.DisposeAsync().ConfigureAwait(false);
            if (exception is OperationCanceledException && cancellationToken.IsCancellationRequested) throw;
            throw errors.Explain(exception, "lock", "");
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0) return;
        await _ended.CancelAsync().ConfigureAwait(false);
        await _renewing.ConfigureAwait(false);
        try
        {
            using var timeout = new CancellationTokenSource(s_releaseTimeout);
            if (!_lost.IsCancellationRequested) await _lease.ReleaseAsync(cancellationToken: timeout.Token).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // Whatever is in the way: it ends by itself, soon.
        }
    }

    private static async Task MakeAsync(BlockBlobClient blob, CancellationToken cancellationToken)
    {
        try
        {
            using var nothing = new MemoryStream();
            await blob.UploadAsync(nothing, new BlobUploadOptions { Conditions = new BlobRequestConditions { IfNoneMatch = ETag.All } }, cancellationToken).ConfigureAwait(false);
        }
        catch (RequestFailedException exception) when (exception.ErrorCode == BlobErrorCode.BlobAlreadyExists || exception.ErrorCode == BlobErrorCode.ConditionNotMet || exception.ErrorCode == BlobErrorCode.LeaseIdMissing)
        {
            // Made by an earlier process, and maybe leased right now.
        }
    }

    private static async Task<string> HolderAsync(BlockBlobClient blob, CancellationToken cancellationToken)
    {
        try
        {
            var properties = await blob.GetPropertiesAsync(cancellationToken: cancellationToken).ConfigureAwait(false);
            return properties.Value.Metadata.TryGetValue(HolderKey, out var holder) && holder.Length > 0 ? Uri.UnescapeDataString(holder) : "another process";
        }
        catch (Exception) when (!cancellationToken.IsCancellationRequested)
        {
            return "another process";
        }
    }

    private async Task RenewAsync(long renewed)
    {
        var interval = _duration / 3;
        try
        {
            while (true)
            {
                await Task.Delay(interval, _time, _ended.Token).ConfigureAwait(false);
                var left = (_duration * 5 / 6) - _time.GetElapsedTime(renewed);
                if (left <= TimeSpan.Zero) break;
                using var deadline = new CancellationTokenSource(left, _time);
                using var either = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, _ended.Token);
                var asked = _time.GetTimestamp();
                try
                {
                    await _lease.RenewAsync(cancellationToken: either.Token).ConfigureAwait(false);
                    renewed = asked;
                    interval = _duration / 3;
                }
                catch (RequestFailedException exception) when (exception.Status is 404 or 409 or 412)
                {
                    break;
                }
                catch (Exception) when (!_ended.IsCancellationRequested)
                {
                    // It may come back in time.
                    interval = _duration / 30;
                }
            }

            await _lost.CancelAsync().ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // Disposed.
        }
    }
}
