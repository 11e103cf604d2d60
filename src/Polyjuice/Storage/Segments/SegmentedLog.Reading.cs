using System.Runtime.CompilerServices;

namespace Polyjuice.Storage;

// Reading, on the caller's thread: what is durable does not change any more.
internal sealed partial class SegmentedLog
{
    /// <inheritdoc/>
    public async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAsync(long from, long to, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (from >= to) yield break;
        var log = await InTurnAsync(
            async () =>
            {
                if (!_isLoaded || _end.Position < to) await CatchUpAsync(cancellationToken);
                return Snapshot();
            },
            cancellationToken);
        if (log.End < to) throw new InvalidOperationException($"The log ends before position {to}.");
        var position = from;
        await foreach (var frame in FramesAsync(log, from, cancellationToken))
        {
            yield return frame.Payload;
            if (++position == to) yield break;
        }

        throw new LogDamagedException(_device.Location, _identity.Segment(log.Segments[^1]), log.LastLength, $"batch {position} is missing");
    }
}
