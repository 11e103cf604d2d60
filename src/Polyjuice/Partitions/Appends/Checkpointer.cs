using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// Reads logs by way of their checkpoints, and makes checkpoints. It uses the log and nothing else, so it may run
/// anywhere, beside the owner or after it was deposed.
/// </summary>
internal static class Checkpointer
{
    /// <summary>How often somebody else's checkpoint may come in between before one is given up.</summary>
    private const int OvertakenMax = 4;

    /// <summary>
    /// What the log says below a position: the latest checkpoint and the batches behind it. <see langword="null"/> when
    /// there is a checkpoint of more than that already, which then somebody who came later has made.
    /// </summary>
    /// <returns>The image, and the length of the checkpoint in it.</returns>
    public static async Task<RecoveredLog?> ReadAsync(
        IPartitionLog log, long to, CancellationToken cancellationToken, PartitionNames? names = null)
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
                    await foreach (var piece in checkpoint.Content.WithCancellation(cancellationToken))
                        Add(image, piece, log, "The checkpoint at", from);
                }

                var position = from;
                await foreach (var batch in log.ReadAsync(from, to, cancellationToken))
                {
                    Add(image, batch, log, "Batch", position++);
                    tail += batch.Length;
                }

                return new RecoveredLog(image, length, tail);
            }
            catch (LogTrimmedException exception) when (log.TakesCheckpoints)
            {
                // A higher checkpoint has taken this one's place: begin again
                // with that. If there is none, nothing was trimmed, but lost.
                if (failedFrom >= from)
                    throw new LogUnusableException(
                        $"The batches behind the checkpoint at {from} are gone, and there is no other checkpoint. "
                        + $"{exception.Message}",
                        exception);
                failedFrom = from;
                cancellationToken.ThrowIfCancellationRequested();
            }
        }
    }

    /// <summary>
    /// Its checksum was right, so this is what somebody wrote, and this version does not understand it.
    /// </summary>
    private static void Add(LogImage image, ReadOnlyMemory<byte> batch, IPartitionLog log, string what, long position)
    {
        try
        {
            image.Add(batch.Span);
        }
        catch (Exception exception) when (exception is CodingException or LogVersionException)
        {
            var look = log.Location.Length == 0 ? "" : $" Look at it with 'polyjuice log dump --data {log.Location}'.";
            throw new LogUnusableException(
                $"{what} {position} of the log{(log.Location.Length == 0 ? "" : $" in {log.Location}")} can't be read: "
                + $"{exception.Message} Nothing was changed.{look}",
                exception);
        }
    }

    /// <summary>
    /// Makes a checkpoint of all batches below a position, and trims what it stands for. States that have not changed
    /// since the last checkpoint are copied from it, so of states only those that have are in memory. When these are
    /// more than allowed, there is a checkpoint of less in between.
    /// </summary>
    /// <param name="log">The log.</param>
    /// <param name="position">At most the log's end.</param>
    /// <param name="stateBytesMax">
    /// About how many bytes of changed states may be in memory; or as many as the last checkpoint is long, if that is
    /// more, because each one in between costs reading and writing all of it.
    /// </param>
    /// <param name="pace">Holds the work back; <see langword="null"/> does not.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>Its length; 0 when there is one of more already.</returns>
    public static async Task<long> WriteAsync(
        IPartitionLog log, long position, long stateBytesMax, Func<CancellationToken, ValueTask>? pace,
        CancellationToken cancellationToken)
    {
        var overtaken = 0;
        while (true)
        {
            try
            {
                var (reached, length) = await new CheckpointWriter(log, stateBytesMax, pace).WriteAsync(
                    position, cancellationToken);
                await log.TrimAsync(cancellationToken);
                if (reached >= position) return length;
            }
            catch (LogTrimmedException) when (++overtaken < OvertakenMax)
            {
                // Somebody who came later has made a higher one meanwhile.
                cancellationToken.ThrowIfCancellationRequested();
            }
        }
    }
}

/// <summary>A log as read back.</summary>
/// <param name="Image">What it says.</param>
/// <param name="CheckpointBytes">The length of the checkpoint that was read.</param>
/// <param name="TailBytes">The length of the batches behind it.</param>
internal sealed record RecoveredLog(LogImage Image, long CheckpointBytes, long TailBytes);
