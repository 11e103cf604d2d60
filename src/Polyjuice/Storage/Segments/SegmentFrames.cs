using System.Runtime.CompilerServices;

namespace Polyjuice.Storage;

/// <summary>Reads what segments of a log hold. Any thread: what is durable does not change any more.</summary>
/// <param name="device">Where they are.</param>
/// <param name="identity">The log's.</param>
/// <param name="checkpoints">The log's: they stand for what is gone.</param>
internal sealed class SegmentFrames(ILogDevice device, LogIdentity identity, LogCheckpoints checkpoints)
{
    /// <summary>Frames that end a batch at or after a position, batches in parts put together.</summary>
    public async IAsyncEnumerable<BatchFrame> ReadAsync(
        LogSnapshot log, long from, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var at = log.SegmentOf(from);
        var position = log.Segments[at];
        for (; at < log.Segments.Length; at++)
        {
            var name = identity.Segment(log.Segments[at]);
            var isLast = at == log.Segments.Length - 1;
            if (position != log.Segments[at])
            {
                throw new LogDamagedException(
                    device.Location, name, 0,
                    $"the segment before it ends before batch {position}, and this one begins with {log.Segments[at]}");
            }

            var end = LogEnd.OfEmpty(position);
            var length = isLast ? log.LastLength : await LengthOfAsync(name, from, cancellationToken);
            var reader = new SegmentReader(device, identity, position, length);
            List<byte>? parts = null;
            while (await ReadNextAsync(reader, from, cancellationToken))
            {
                var frame = reader.Current;
                if (end.Check(frame) is { } wrong)
                    throw new LogDamagedException(device.Location, name, frame.Offset, wrong);
                var isFirst = end.PartOf != frame.Id;
                end = end.After(frame);
                if (frame.Position < from) continue;
                if (frame.Flags.HasFlag(FrameFlags.Continues))
                {
                    if (isFirst || parts is null) parts = [];
                    parts.AddRange(frame.Payload.Span);
                    continue;
                }

                if (!isFirst)
                {
                    (parts ??= []).AddRange(frame.Payload.Span);
                    frame = frame with { Payload = parts.ToArray() };
                }

                yield return frame;
            }

            if (!isLast && !end.IsSealed)
            {
                throw new LogDamagedException(
                    device.Location, name, reader.Offset, "the segment ends without saying so, and others follow");
            }

            position = end.Position;
        }
    }

    private async ValueTask<long> LengthOfAsync(string name, long from, CancellationToken cancellationToken)
    {
        try
        {
            return await device.GetLengthAsync(name, cancellationToken);
        }
        catch (FileNotFoundException)
        {
            throw await TrimmedAsync(name, from, cancellationToken);
        }
    }

    private async ValueTask<bool> ReadNextAsync(SegmentReader reader, long from, CancellationToken cancellationToken)
    {
        try
        {
            return await reader.NextAsync(cancellationToken);
        }
        catch (FileNotFoundException)
        {
            throw await TrimmedAsync(reader.Name, from, cancellationToken);
        }
    }

    /// <summary>A segment that was listed is gone: trimmed, if a checkpoint stands for it; lost, if not.</summary>
    private async ValueTask<Exception> TrimmedAsync(string name, long from, CancellationToken cancellationToken)
    {
        LogIdentity.TryParse(name, LogIdentity.SegmentSuffix, out var first);
        return await checkpoints.HighestAsync(cancellationToken) is { } checkpoint && checkpoint.Position > first
            ? new LogTrimmedException(from, checkpoint.Position)
            : new LogDamagedException(device.Location, name, 0, "the segment is gone, and no checkpoint stands for it");
    }
}
