using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace Polyjuice.Storage;

/// <summary>
/// The checkpoints of a log: objects whose names say their position. The highest counts, so putting one is switching to
/// it, and a lower one can never replace it.
/// </summary>
/// <param name="device">Where they are.</param>
/// <param name="identity">The log's.</param>
/// <param name="logger">Where it says what is left behind.</param>
internal sealed class LogCheckpoints(ILogDevice device, LogIdentity identity, ILogger logger)
{
    /// <inheritdoc cref="IPartitionLog.GetCheckpointAsync"/>
    public async ValueTask<LogCheckpoint?> GetAsync(CancellationToken cancellationToken) =>
        await HighestAsync(cancellationToken) is { } highest
            ? new LogCheckpoint(highest.Position, highest.Length, ReadAsync(highest.Position))
            : null;

    /// <inheritdoc cref="IPartitionLog.WriteCheckpointAsync"/>
    public async ValueTask WriteAsync(
        long position, IAsyncEnumerable<ReadOnlyMemory<byte>> content, CancellationToken cancellationToken)
    {
        if (await HighestAsync(cancellationToken) is { } known && known.Position >= position) return;
        await device.PutAsync(
            identity.Checkpoint(position), CheckpointFormat.WriteAsync(identity, position, content), overwrite: true,
            cancellationToken);
        foreach (var entry in await device.ListAsync(identity.Prefix, cancellationToken))
        {
            if (LogIdentity.TryParse(entry.Name, LogIdentity.CheckpointSuffix, out var lower) && lower < position)
                await TryDeleteAsync(entry.Name, cancellationToken);
        }
    }

    /// <summary>Deletes the segments that the highest stands for.</summary>
    /// <returns>The first position that is left; <see langword="null"/> where there is no checkpoint.</returns>
    public async ValueTask<long?> TrimAsync(CancellationToken cancellationToken)
    {
        if (await HighestAsync(cancellationToken) is not { } highest) return null;

        // From the first on, so that what is left has no gap, whatever fails.
        var segments = new List<long>();
        foreach (var entry in await device.ListAsync(identity.Prefix, cancellationToken))
        {
            if (LogIdentity.TryParse(entry.Name, LogIdentity.SegmentSuffix, out var first)) segments.Add(first);
        }

        var gone = 0;
        while (gone + 1 < segments.Count && segments[gone + 1] <= highest.Position
            && await TryDeleteAsync(identity.Segment(segments[gone]), cancellationToken)) gone++;
        return gone < segments.Count ? segments[gone] : 0;
    }

    /// <summary>
    /// Whether one stands for a batch at a position where somebody wants to append, or did a moment ago. It is of a
    /// later owner then; and what is trimmed goes after the checkpoint that stands for it is there, so whoever has made
    /// a trimmed segment anew is told so here.
    /// </summary>
    public async Task<bool> AreBeyondAsync(long position, CancellationToken cancellationToken) =>
        await HighestAsync(cancellationToken) is { } highest && highest.Position > position;

    /// <summary>The one that counts.</summary>
    public async Task<(long Position, long Length)?> HighestAsync(CancellationToken cancellationToken) =>
        LogShape.HighestCheckpoint(await device.ListAsync(identity.Prefix, cancellationToken));

    private async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(
        long position, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await using var pieces = CheckpointFormat.ReadAsync(device, identity, position, cancellationToken)
            .GetAsyncEnumerator(cancellationToken);
        while (true)
        {
            try
            {
                if (!await pieces.MoveNextAsync()) yield break;
            }
            catch (FileNotFoundException)
            {
                // A higher one has taken its place.
                if (await HighestAsync(cancellationToken) is { } highest && highest.Position > position)
                    throw new LogTrimmedException(position, highest.Position);
                throw;
            }

            yield return pieces.Current;
        }
    }

    private async ValueTask<bool> TryDeleteAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            await device.DeleteAsync(name, cancellationToken);
            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            StorageLog.NotDeleted(logger, exception, $"{device.Location}/{name}");
            return false;
        }
    }
}
