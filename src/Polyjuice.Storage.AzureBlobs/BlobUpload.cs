using System.Text;
using Azure;
using Azure.Storage;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Blobs.Specialized;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>
/// One object on its way: what fits into a block goes by one request; what is longer goes in blocks that nobody sees
/// before they are committed, all at once. Blocks that are never committed are not listed, and the service removes them
/// after a week. For one thread at a time.
/// </summary>
internal sealed class BlobUpload(BlobContainerClient container, string blobName, int blockBytes)
{
    private const string IdKey = "polyjuice_put";

    /// <summary>The service's.</summary>
    private const int BlocksMax = 50_000;

    // Block ids of one blob have one length; the random part keeps other puts' blocks out.
    private readonly string _id = Guid.NewGuid().ToString("N");
    private readonly BlockBlobClient _blob = container.GetBlockBlobClient(blobName);
    private readonly List<string> _blocks = [];
    private byte[] _block = [];
    private int _length;

    /// <summary>Whether a blob is the one that this put made.</summary>
    public bool Made(BlobProperties blob) => blob.Metadata.TryGetValue(IdKey, out var id) && id == _id;

    /// <summary>
    /// Takes as much as fits; <see langword="true"/> if the block is full, to be staged before the rest.
    /// </summary>
    public bool Take(ref ReadOnlyMemory<byte> rest)
    {
        if (_length == blockBytes)
        {
            if (_blocks.Count == BlocksMax - 1)
                throw new IOException(
                    $"An object has at most {BlocksMax} blocks of {blockBytes} bytes, and this one is longer.");
            return true;
        }

        var some = Math.Min(rest.Length, blockBytes - _length);
        if (_block.Length < _length + some)
            Array.Resize(ref _block, Math.Min(blockBytes, Math.Max(_length + some, _block.Length * 2)));
        rest[..some].CopyTo(_block.AsMemory(_length));
        _length += some;
        rest = rest[some..];
        return rest.Length > 0;
    }

    /// <summary>Sends the block, which shows nothing yet.</summary>
    public async Task<bool> StageAsync(CancellationToken cancellationToken)
    {
        var id = Convert.ToBase64String(Encoding.ASCII.GetBytes($"{_id}{_blocks.Count:D6}"));
        using (var body = Body())
            await _blob.StageBlockAsync(id, body, cancellationToken: cancellationToken).ConfigureAwait(false);
        _blocks.Add(id);

        // A new one each time: a request that was given up and repeated may still read the old one.
        _block = new byte[blockBytes];
        _length = 0;
        return true;
    }

    /// <summary>Whether blocks have been staged.</summary>
    public bool IsInBlocks => _blocks.Count > 0;

    /// <summary>Whether there are blocks, and more to stage before they can be committed.</summary>
    public bool HasRest => IsInBlocks && _length > 0;

    /// <summary>Makes it visible, whole.</summary>
    /// <param name="replaces">The one that must be there; if not given, none must be.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public async Task CommitAsync(ETag? replaces, CancellationToken cancellationToken)
    {
        var conditions = replaces is { } tag
            ? new BlobRequestConditions { IfMatch = tag }
            : new BlobRequestConditions { IfNoneMatch = ETag.All };
        var metadata = new Dictionary<string, string> { [IdKey] = _id };
        if (!IsInBlocks)
        {
            using var body = Body();
            var whole = new StorageTransferOptions
            {
                InitialTransferSize = blockBytes, MaximumTransferSize = blockBytes
            };
            await _blob.UploadAsync(
                body, new BlobUploadOptions { Conditions = conditions, Metadata = metadata, TransferOptions = whole },
                cancellationToken)
                .ConfigureAwait(false);
            return;
        }

        await _blob.CommitBlockListAsync(
            _blocks, new CommitBlockListOptions { Conditions = conditions, Metadata = metadata }, cancellationToken)
            .ConfigureAwait(false);
    }

    private MemoryStream Body() => new(_block, 0, _length, writable: false);
}
