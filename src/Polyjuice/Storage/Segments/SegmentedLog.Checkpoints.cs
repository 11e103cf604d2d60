using System.Runtime.CompilerServices;

namespace Polyjuice.Storage;

// Checkpoints: objects whose names say their position. The highest counts, so putting one is switching to it, and a lower one can never replace it.
internal sealed partial class SegmentedLog
{
    /// <inheritdoc/>
    public async ValueTask<LogCheckpoint?> GetCheckpointAsync(CancellationToken cancellationToken) =>
        await HighestCheckpointAsync(cancellationToken) is { } highest
            ? new LogCheckpoint(highest.Position, highest.Length, ReadCheckpointAsync(highest.Position))
            : null;

    /// <inheritdoc/>
    public async ValueTask WriteCheckpointAsync(long position, IAsyncEnumerable<ReadOnlyMemory<byte>> content, CancellationToken cancellationToken)
    {
        if (await HighestCheckpointAsync(cancellationToken) is { } known && known.Position >= position) return;
        await _device.PutAsync(_identity.Checkpoint(position), CheckpointFormat.WriteAsync(_identity, position, content), overwrite: true, cancellationToken);
        foreach (var entry in await _device.ListAsync(_identity.Prefix, cancellationToken))
        {
            if (LogIdentity.TryParse(entry.Name, LogIdentity.CheckpointSuffix, out var lower) && lower < position) await TryDeleteAsync(entry.Name, cancellationToken);
        }
    }

    /// <inheritdoc/>
    public async ValueTask<long> TrimAsync(CancellationToken cancellationToken)
    {
        if (await HighestCheckpointAsync(cancellationToken) is not { } highest) return 0;

        // From the first on, so that what is left has no gap, whatever fails.
        var segments = new List<long>();
        foreach (var entry in await _device.ListAsync(_identity.Prefix, cancellationToken))
        {
            if (LogIdentity.TryParse(entry.Name, LogIdentity.SegmentSuffix, out var first)) segments.Add(first);
        }

        var gone = 0;
        while (gone + 1 < segments.Count && segments[gone + 1] <= highest.Position && await TryDeleteAsync(_identity.Segment(segments[gone]), cancellationToken)) gone++;
        var left = gone < segments.Count ? segments[gone] : 0;
        return await InTurnAsync(
            () =>
            {
                while (_segments.Count > 1 && _segments[0] < left) _segments.RemoveAt(0);
                return Task.FromResult(left);
            },
            cancellationToken);
    }

    /// <summary>
    /// Whether a checkpoint stands for a batch at a position where somebody wants to append, or did a moment ago. It is of a later owner then; and what is trimmed goes after the checkpoint that stands for it is
    /// there, so whoever has made a trimmed segment anew is told so here.
    /// </summary>
    private async Task<bool> IsOvertakenAsync(long position, CancellationToken cancellationToken) =>
        await HighestCheckpointAsync(cancellationToken) is { } highest && highest.Position > position;

    private async Task<(long Position, long Length)?> HighestCheckpointAsync(CancellationToken cancellationToken) =>
        LogShape.HighestCheckpoint(await _device.ListAsync(_identity.Prefix, cancellationToken));

    private async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadCheckpointAsync(long position, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await using var pieces = CheckpointFormat.ReadAsync(_device, _identity, position, cancellationToken).GetAsyncEnumerator(cancellationToken);
        while (true)
        {
            try
            {
                if (!await pieces.MoveNextAsync()) yield break;
            }
            catch (FileNotFoundException)
            {
                // A higher one has taken its place.
                if (await HighestCheckpointAsync(cancellationToken) is { } highest && highest.Position > position) throw new LogTrimmedException(position, highest.Position);
                throw;
            }

            yield return pieces.Current;
        }
    }

    private async ValueTask<bool> TryDeleteAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            await _device.DeleteAsync(name, cancellationToken);
            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            StorageLog.NotDeleted(_logger, exception, $"{_device.Location}/{name}");
            return false;
        }
    }
}
