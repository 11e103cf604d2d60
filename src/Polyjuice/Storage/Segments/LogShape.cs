namespace Polyjuice.Storage;

/// <summary>
/// Which segments and checkpoints a partition has, and what else is known of them; not what is in them. Whoever opens a
/// log and whoever only looks judge by this.
/// </summary>
/// <param name="Segments">First positions, ascending, and lengths.</param>
/// <param name="Checkpoint">The highest checkpoint's position and length.</param>
/// <param name="Answered">See <see cref="ILogDevice.ListAnsweredAsync"/>.</param>
internal sealed record LogShape(
    IReadOnlyList<(long First, long Length)> Segments, (long Position, long Length)? Checkpoint,
    IReadOnlyList<LogDeviceEntry> Answered)
{
    /// <summary>Reads it. Others may go on with the log meanwhile.</summary>
    /// <param name="device">Where.</param>
    /// <param name="identity">Which log.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>It, and what is missing of it, if anything is.</returns>
    public static async Task<(LogShape Shape, LogDamagedException? Damage)> ReadAsync(
        ILogDevice device, LogIdentity identity, CancellationToken cancellationToken)
    {
        LogShape? before = null;
        while (true)
        {
            // What is known of segments comes first, because they may be growing. Then the checkpoint: what it stands
            // for was in the log before it was made, so the log must show it from now on.
            var answered = await device.ListAnsweredAsync(identity.Prefix, cancellationToken);
            var checkpoint = HighestCheckpoint(await device.ListAsync(identity.Prefix, cancellationToken));
            var segments = SegmentsAmong(await device.ListAsync(identity.Prefix, cancellationToken));
            var shape = new LogShape(segments, checkpoint, answered);
            var damage = shape.Judge(device, identity);

            // What is trimmed goes after the checkpoint that stands for it is there: if there is another one each time,
            // nothing need be missing.
            if (damage is null || (before is not null && before.Checkpoint == checkpoint)) return (shape, damage);
            before = shape;
        }
    }

    /// <summary>The highest of the checkpoints among a partition's names.</summary>
    public static (long Position, long Length)? HighestCheckpoint(IReadOnlyList<LogDeviceEntry> entries)
    {
        (long Position, long Length)? highest = null;
        foreach (var entry in entries)
        {
            if (LogIdentity.TryParse(entry.Name, LogIdentity.CheckpointSuffix, out var position)
                && !(highest?.Position >= position))
                highest = (position, entry.Length);
        }

        return highest;
    }

    /// <summary>Up to which offset appends to a segment were answered for certain; 0 where nothing is known.</summary>
    public long AnsweredOf(string segment)
    {
        foreach (var entry in Answered)
        {
            if (entry.Name == segment) return entry.Length;
        }

        return 0;
    }

    /// <summary>Why what is not there is missing: no crash takes away what was flushed.</summary>
    public static string Lost(long answered) => $"appends there were answered up to offset {answered}";

    private static List<(long First, long Length)> SegmentsAmong(IReadOnlyList<LogDeviceEntry> entries)
    {
        var segments = new List<(long, long)>();
        foreach (var entry in entries)
        {
            if (LogIdentity.TryParse(entry.Name, LogIdentity.SegmentSuffix, out var first))
                segments.Add((first, entry.Length));
        }

        return segments;
    }

    private LogDamagedException? Judge(ILogDevice device, LogIdentity identity)
    {
        var last = Segments.Count == 0 ? -1 : Segments[^1].First;
        foreach (var entry in Answered)
        {
            if (LogIdentity.TryParse(entry.Name, LogIdentity.SegmentSuffix, out var first) && first > last)
                return new(device.Location, entry.Name, 0, $"the segment is gone; {Lost(entry.Length)}");
        }

        if (Segments.Count == 0)
        {
            if (Checkpoint is not { } alone) return null;
            var what = $"there is a checkpoint of {alone.Position} batches, and no segment at all";
            return new(device.Location, identity.Segment(alone.Position), 0, what);
        }

        var begin = Segments[0].First;
        if (begin <= (Checkpoint?.Position ?? 0)) return null;
        var stands = Checkpoint is { } lower
            ? $"the highest checkpoint stands for {lower.Position} batches"
            : "no checkpoint stands for those before it";
        return new(device.Location, identity.Segment(begin), 0, $"the log begins with batch {begin}, and {stands}");
    }
}
