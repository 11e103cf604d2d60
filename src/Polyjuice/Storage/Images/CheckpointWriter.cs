using System.Runtime.CompilerServices;

namespace Polyjuice.Storage;

/// <summary>
/// Makes one checkpoint from the one before and the batches behind it, and gives way to more urgent work all the time.
/// </summary>
internal sealed class CheckpointWriter(IPartitionLog log, long stateBytesMax, Func<CancellationToken, ValueTask>? pace)
{
    private const int BytesBetweenPauses = LogImage.PieceBytes;
    private long _sincePause;
    private long _length;

    /// <summary>
    /// Makes a checkpoint of the batches below a position, or of less if that is as much as the memory allows.
    /// </summary>
    /// <returns>Of how many it is (or more, if somebody has made one of more meanwhile), and its length.</returns>
    public async Task<(long Position, long Length)> WriteAsync(long position, CancellationToken cancellationToken)
    {
        var below = await log.GetCheckpointAsync(cancellationToken);
        if (below is not null && below.Position >= position) return (below.Position, 0);
        var image = below is null ? new LogImage() : new LogImage(new CheckpointedVersions());
        if (below is not null)
        {
            await foreach (var piece in below.Content.WithCancellation(cancellationToken))
            {
                image.Add(piece.Span);
                await PauseAsync(piece.Length, cancellationToken);
            }
        }

        var reached = below?.Position ?? 0;
        var bytesMax = Math.Max(stateBytesMax, below?.Length ?? 0);
        await foreach (var batch in log.ReadAsync(reached, position, cancellationToken))
        {
            image.Add(batch.Span);
            reached++;
            if (image.States.Bytes > bytesMax) break;
            await PauseAsync(batch.Length, cancellationToken);
        }

        await log.WriteCheckpointAsync(reached, Pieces(image, below?.Position), cancellationToken);
        return (reached, _length);
    }

    private async IAsyncEnumerable<ReadOnlyMemory<byte>> Pieces(
        LogImage image, long? below, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var pieces = below is { } position
            ? image.WriteOver(await AgainAsync(position, cancellationToken), cancellationToken)
            : image.Write().ToAsyncEnumerable();
        await foreach (var piece in pieces.WithCancellation(cancellationToken))
        {
            _length += piece.Length;
            yield return piece;
            await PauseAsync(piece.Length, cancellationToken);
        }
    }

    /// <summary>The checkpoint below once more, because it is read twice rather than kept.</summary>
    private async ValueTask<IAsyncEnumerable<ReadOnlyMemory<byte>>> AgainAsync(
        long position, CancellationToken cancellationToken)
    {
        var again = await log.GetCheckpointAsync(cancellationToken);
        return again?.Position == position
            ? again.Content
            : throw new LogTrimmedException(position, again?.Position ?? 0);
    }

    private async ValueTask PauseAsync(int bytes, CancellationToken cancellationToken)
    {
        _sincePause += bytes;
        if (pace is null || _sincePause < BytesBetweenPauses) return;
        _sincePause = 0;
        await pace(cancellationToken);
    }
}
