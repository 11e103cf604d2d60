using Azure;
using Azure.Storage.Blobs.Models;

namespace Polyjuice.Storage.AzureBlobs;

// Objects: block blobs.
internal sealed partial class AzureBlobLogDevice
{
    private const int PutsMax = 8;

    /// <inheritdoc/>
    public async ValueTask<bool> PutAsync(
        string name, IAsyncEnumerable<ReadOnlyMemory<byte>> content, bool overwrite,
        CancellationToken cancellationToken)
    {
        // What this put replaces is its condition, so that a request of it that comes late can't replace something
        // newer. No ConfigureAwait(false) up to where the content has been read: it belongs to the caller, and comes
        // where the caller is.
        var before = await FindAsync(name, cancellationToken);
        if (before is not null && !overwrite) return false;
        var upload = new BlobUpload(_container, _prefix + name, _settings.BlockBytes);
        await foreach (var piece in content.WithCancellation(cancellationToken))
        {
            for (var rest = piece; upload.Take(ref rest);)
                await CallAsync("write", name, () => upload.StageAsync(cancellationToken), cancellationToken);
        }

        if (upload.HasRest)
            await CallAsync("write", name, () => upload.StageAsync(cancellationToken), cancellationToken)
                .ConfigureAwait(false);
        for (var puts = 1; puts <= PutsMax; puts++)
        {
            var count = new RequestCount();
            try
            {
                using (count.Begin()) await upload.CommitAsync(before?.ETag, cancellationToken).ConfigureAwait(false);
                return true;
            }
            catch (RequestFailedException exception)
                when (exception.Status is 409 or 412 && exception.ErrorCode != BlobErrorCode.LeaseIdMissing
                    || exception.ErrorCode == "InvalidBlockList")
            {
                // Somebody else put one in the meantime (which throws away the
                // blocks of this one), or it was this one, and its answer got lost.
                before = await FindAsync(name, cancellationToken).ConfigureAwait(false);
                if (before is { } there && upload.Made(there)) return true;
                if (count.WasRepeated)
                    throw new IOException(
                        $"It is unknown whether {Location}/{name} was written: the answer got lost, and there is "
                        + "another one now. Nothing is lost; it is tried again.",
                        exception);
                if (before is not null && !overwrite) return false;

                // Blocks that somebody staged and never committed may stand in
                // the way of a put by one request, and never of a commit.
                if (before is null && !upload.IsInBlocks)
                    await CallAsync("write", name, () => upload.StageAsync(cancellationToken), cancellationToken)
                        .ConfigureAwait(false);
                if (exception.ErrorCode == "InvalidBlockList")
                    throw new IOException(
                        $"{Location}/{name} was not written, because another process put or deleted it at the same "
                        + "time. It is tried again.",
                        exception);
            }
            catch (Exception exception) when (!IsCancelled(exception, cancellationToken))
            {
                throw _errors.Explain(exception, "write", name);
            }
        }

        throw new IOException(
            $"{Location}/{name} was not written: it was replaced by others {PutsMax} times meanwhile.");
    }

    private async Task<BlobProperties?> FindAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            return await CallAsync(
                "look at",
                name,
                async () =>
                    (await Blob(name).GetPropertiesAsync(cancellationToken: cancellationToken)
                        .ConfigureAwait(false)).Value,
                cancellationToken)
                .ConfigureAwait(false);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }
}
