using Polyjuice.Storage;

namespace Polyjuice.Commit;

/// <summary>
/// Reads logs by way of their checkpoints, and makes checkpoints. It uses the log and nothing else, so it may run anywhere, beside the owner or after it was deposed.
/// </summary>
internal static class Checkpointer
{
    /// <summary>
    /// What the log says below a position: the latest checkpoint and the batches behind it. <see langword="null"/> when there is a checkpoint of more than that already, which then somebody
    /// who came later has made.
    /// </summary>
    /// <returns>The image, and the length of the checkpoint in it.</returns>
    public static async Task<RecoveredLog?> ReadAsync(IPartitionLog log, long to, PartitionNames names, CancellationToken cancellationToken)
    {
        long? failedFrom = null;
        while (true)
        {
            var image = new LogImage(names);
            long from = 0;
            long length = 0;
            long tail = 0;
            try
            {
                if (log.TakesCheckpoints && await log.GetCheckpointAsync(cancellationToken) is { } checkpoint)
                {
                    if (checkpoint.Position > to) return null;
                    from = checkpoint.Position;
                    length = checkpoint.Length;
                    await foreach (var piece in checkpoint.Content.WithCancellation(cancellationToken)) image.Add(piece.Span);
                }

                await foreach (var batch in log.ReadAsync(from, to, cancellationToken))
                {
                    image.Add(batch.Span);
                    tail += batch.Length;
                }

                return new RecoveredLog(image, length, tail);
            }
            catch (LogTrimmedException exception) when (log.TakesCheckpoints)
            {
                // A higher checkpoint has taken this one's place: begin again with that. If there is none, nothing was trimmed, but lost.
                if (failedFrom >= from) throw new LogUnusableException($"The batches behind the checkpoint at {from} are gone, and there is no other checkpoint. {exception.Message}", exception);
                failedFrom = from;
                cancellationToken.ThrowIfCancellationRequested();
            }
        }
    }

    /// <summary>Makes a checkpoint of all batches below a position, and trims what it stands for. Returns its length.</summary>
    public static async Task<long> WriteAsync(IPartitionLog log, long position, PartitionNames names, CancellationToken cancellationToken)
    {
        if (await ReadAsync(log, position, names, cancellationToken) is not { } known) return 0;
        long length = 0;
        await log.WriteCheckpointAsync(position, Pieces(), cancellationToken);
        await log.TrimAsync(cancellationToken);
        return length;

        async IAsyncEnumerable<ReadOnlyMemory<byte>> Pieces()
        {
            foreach (var piece in known.Image.Write())
            {
                length += piece.Length;
                yield return piece;
            }

            await ValueTask.CompletedTask;
        }
    }
}

/// <summary>A log as read back.</summary>
/// <param name="Image">What it says.</param>
/// <param name="CheckpointBytes">The length of the checkpoint that was read.</param>
/// <param name="TailBytes">The length of the batches behind it.</param>
internal sealed record RecoveredLog(LogImage Image, long CheckpointBytes, long TailBytes);
