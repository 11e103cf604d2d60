using Azure;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Blobs.Specialized;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>
/// Appends to a blob that nobody else writes. Each append names the position, so that one whose answer got lost and
/// that the client has repeated is not there twice: a file whose blocks come twice would name the wrong grains.
/// </summary>
internal sealed class TraceBlobStream(AppendBlobClient blob) : OneWayStream
{
    /// <summary>The service's bound on one append, of all versions.</summary>
    private const int AppendBytesMax = 4 << 20;

    private long _position;

    public override bool CanWrite => true;

    public override long Position
    {
        get => _position;
        set => throw new NotSupportedException();
    }

    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        for (var rest = buffer; rest.Length > 0;)
        {
            var some = rest[..Math.Min(rest.Length, AppendBytesMax)];
            await AppendAsync(some, cancellationToken).ConfigureAwait(false);
            _position += some.Length;
            rest = rest[some.Length..];
        }
    }

    private async Task AppendAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        try
        {
            using var body = new MemoryStream(bytes.ToArray(), writable: false);
            await blob.AppendBlockAsync(
                body,
                new AppendBlobAppendBlockOptions
                {
                    Conditions = new AppendBlobRequestConditions { IfAppendPositionEqual = _position }
                },
                cancellationToken)
                .ConfigureAwait(false);
        }
        catch (RequestFailedException exception) when (exception.Status == 412)
        {
            // Nobody else writes here, so if it has grown by as much, it was this append, and only the answer got lost.
            var blobNow = await blob.GetPropertiesAsync(cancellationToken: cancellationToken).ConfigureAwait(false);
            if (blobNow.Value.ContentLength != _position + bytes.Length) throw Failed(exception);
        }
        catch (RequestFailedException exception)
        {
            throw Failed(exception);
        }
    }

    private IOException Failed(RequestFailedException exception) =>
        new(
            $"Polyjuice can't append to the trace {blob.Name} in container '{blob.BlobContainerName}' "
            + $"({exception.Status} {exception.ErrorCode}).",
            exception);
}
