using System.Buffers;
using Azure;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Blobs.Specialized;

namespace Polyjuice.Storage.AzureBlobs;

// Segments: append blobs.
internal sealed partial class AzureBlobLogDevice
{
    private const int ReadsMax = 16;

    /// <inheritdoc/>
    public async ValueTask CreateAsync(string segment, CancellationToken cancellationToken)
    {
        // The condition is what keeps a repetition, however late, from emptying a segment that is in use.
        var options = new AppendBlobCreateOptions
        {
            Conditions = new AppendBlobRequestConditions { IfNoneMatch = ETag.All }
        };
        try
        {
            await _container.GetAppendBlobClient(_prefix + segment).CreateAsync(options, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (RequestFailedException exception) when (exception.ErrorCode == BlobErrorCode.BlobAlreadyExists)
        {
        }
        catch (Exception exception) when (!IsCancelled(exception, cancellationToken))
        {
            throw _errors.Explain(exception, "create", segment);
        }
    }

    /// <inheritdoc/>
    public async ValueTask<DeviceAppendResult> AppendAsync(
        string segment, long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        if (bytes.Length is < 1 || bytes.Length > AppendBytesMax)
            throw new ArgumentOutOfRangeException(
                nameof(bytes), bytes.Length, $"An append has 1 to {AppendBytesMax} bytes.");

        // A copy, because a request that was given up may be read for a while longer than the caller leaves the bytes
        // alone; kept from reuse unless the only request was answered.
        var copy = ArrayPool<byte>.Shared.Rent(bytes.Length);
        bytes.CopyTo(copy);
        var count = new RequestCount();
        try
        {
            var options = new AppendBlobAppendBlockOptions
            {
                Conditions = new AppendBlobRequestConditions { IfAppendPositionEqual = offset }
            };
            using var body = new MemoryStream(copy, 0, bytes.Length, writable: false);
            using (count.Begin())
                await _container.GetAppendBlobClient(_prefix + segment)
                    .AppendBlockAsync(body, options, cancellationToken).ConfigureAwait(false);
            if (!count.WasRepeated) ArrayPool<byte>.Shared.Return(copy);
            return DeviceAppendResult.Appended;
        }
        catch (RequestFailedException exception)
            when (exception.ErrorCode == BlobErrorCode.AppendPositionConditionNotMet)
        {
            return count.WasRepeated
                ? await DecideAsync(segment, offset, bytes, exception, cancellationToken).ConfigureAwait(false)
                : DeviceAppendResult.Conflict;
        }
        catch (Exception exception) when (!IsCancelled(exception, cancellationToken))
        {
            throw _errors.Explain(exception, "append to", segment);
        }
    }

    /// <inheritdoc/>
    public async ValueTask<int> ReadAsync(
        string name, long offset, Memory<byte> buffer, CancellationToken cancellationToken)
    {
        // The service has no empty ranges.
        if (buffer.Length == 0)
        {
            await GetLengthAsync(name, cancellationToken).ConfigureAwait(false);
            return 0;
        }

        var read = 0;
        for (var reads = 1; ; reads++)
        {
            try
            {
                var range = new BlobDownloadOptions { Range = new HttpRange(offset + read, buffer.Length - read) };
                using var download =
                    (await Blob(name).DownloadStreamingAsync(range, cancellationToken).ConfigureAwait(false)).Value;
                int some;
                do
                {
                    some = await download.Content.ReadAsync(buffer[read..], cancellationToken).ConfigureAwait(false);
                    read += some;
                }
                while (some > 0 && read < buffer.Length);
                return read;
            }
            catch (RequestFailedException exception) when (exception.ErrorCode == BlobErrorCode.InvalidRange)
            {
                return read;
            }
            catch (RequestFailedException exception)
                when (exception.ErrorCode == BlobErrorCode.ConditionNotMet && reads < ReadsMax)
            {
                // The connection broke, and the client insists on going on in the very blob that it began to read; but
                // this one has grown. What was read stays true: go on from there.
            }
            catch (Exception exception) when (!IsCancelled(exception, cancellationToken))
            {
                throw _errors.Explain(exception, "read", name);
            }
        }
    }

    /// <summary>
    /// The append was sent several times, and refused at last: because it had been applied before, and only the answer
    /// got lost, or because of a rival. Something else at its place proves the rival, and that no late request of ours
    /// can be applied any more. Everything else stays unknown; the very same bytes too, which a rival might have
    /// written.
    /// </summary>
    private async Task<DeviceAppendResult> DecideAsync(
        string segment, long offset, ReadOnlyMemory<byte> bytes, Exception refusal,
        CancellationToken cancellationToken)
    {
        var there = new byte[bytes.Length];
        var read = await ReadAsync(segment, offset, there, cancellationToken).ConfigureAwait(false);
        if (read > 0 && !there.AsSpan(0, read).SequenceEqual(bytes.Span)) return DeviceAppendResult.Conflict;
        throw new IOException(
            $"It is unknown whether an append to {Location}/{segment} at offset {offset} was made: its answer got "
            + "lost, and the repetition was refused. Nothing is lost; the log looks for it and goes on by itself.",
            refusal);
    }
}
