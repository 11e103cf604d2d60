using System.Runtime.CompilerServices;

namespace Polyjuice.Storage;

/// <summary>Looks at one segment of a log, past damage too, and enters what is wrong into a report.</summary>
/// <param name="device">Where it is.</param>
/// <param name="identity">The log's.</param>
/// <param name="first">The position that it begins with.</param>
/// <param name="length">Its bytes.</param>
/// <param name="isLast">Whether it is the last one of the log.</param>
/// <param name="answered">Up to where its appends are known to have been answered.</param>
/// <param name="report">Where what is wrong is entered.</param>
internal sealed class SegmentInspection(
    ILogDevice device, LogIdentity identity, long first, long length, bool isLast, long answered, LogReport report)
{
    private readonly string _name = identity.Segment(first);
    private readonly List<byte> _parts = [];
    private SegmentReader _reader = new(device, identity, first, length);

    /// <summary>Where what was read so far ends.</summary>
    public LogEnd End { get; private set; } = LogEnd.OfEmpty(first);

    /// <summary>Its batches. Once.</summary>
    public async IAsyncEnumerable<InspectedBatch> ReadAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        report.Bytes += length;
        while (true)
        {
            LogDamagedException? damage = null;
            var more = false;
            try
            {
                more = await _reader.NextAsync(cancellationToken);
            }
            catch (LogDamagedException exception)
            {
                damage = exception;
            }

            if (damage is not null)
            {
                if (await PassAsync(damage, cancellationToken)) continue;
                yield break;
            }

            if (!more)
            {
                if (_reader.Offset < answered) Enter(_reader.Offset, $"nothing follows; {LogShape.Lost(answered)}");
                report.Bytes -= _reader.Room;
                yield break;
            }

            if (Take(_reader.Current) is { } batch) yield return batch;
        }
    }

    /// <summary>Goes on with what can be read behind damage, to find all that is wrong.</summary>
    /// <returns>Whether there is any.</returns>
    private async Task<bool> PassAsync(LogDamagedException damage, CancellationToken cancellationToken)
    {
        var next = await _reader.FindFrameBehindAsync(cancellationToken);
        var isTorn = isLast && next is null && device.MayTear && damage.Offset >= answered;
        Enter(damage.Offset, damage.What, isTorn);
        if (next is not { } offset) return false;
        _reader = new SegmentReader(device, identity, first, length, offset);
        return true;
    }

    /// <returns>The batch that the frame ends, if it ends one.</returns>
    private InspectedBatch? Take(BatchFrame frame)
    {
        if (End.Check(frame) is { } wrong)
        {
            Enter(frame.Offset, wrong);
            End = End with { Position = frame.Position, IsSealed = false };
        }

        if (End.PartOf != frame.Id) _parts.Clear();
        var isPart = End.PartOf == frame.Id || frame.Flags.HasFlag(FrameFlags.Continues);
        End = End.After(frame);
        if (isPart) _parts.AddRange(frame.Payload.Span);
        return frame.Flags.HasFlag(FrameFlags.Continues)
            ? null
            : new InspectedBatch(
                _name, frame.Offset, frame.Position, frame.Id, isPart ? _parts.ToArray() : frame.Payload);
    }

    private void Enter(long offset, string what, bool isTorn = false) =>
        report.Problems.Add(new LogProblem($"{device.Location}/{_name}", offset, what, isTorn));
}
