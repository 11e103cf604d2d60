namespace Polyjuice.Storage;

/// <summary>
/// Where a log ends, as far as its device has shown: in which segment, at which offset, before which position.
/// </summary>
/// <param name="FirstPosition">The last segment's first position.</param>
/// <param name="Offset">That segment's length.</param>
/// <param name="Position">The next batch's position.</param>
/// <param name="Appends">Appends to that segment so far.</param>
/// <param name="IsSealed">Its last frame has ended that segment.</param>
/// <param name="LastId">The last batch, if it was seen.</param>
/// <param name="PartOf">The batch whose first parts are the segment's last frames, if they wait for more.</param>
/// <param name="PartBytes">How much of that batch is there.</param>
internal readonly record struct LogEnd(
    long FirstPosition, long Offset, long Position, int Appends, bool IsSealed, BatchId? LastId, BatchId? PartOf,
    int PartBytes)
{
    public string Segment => $"{FirstPosition:D20}{LogIdentity.SegmentSuffix}";

    public static LogEnd OfEmpty(long firstPosition) => new(firstPosition, 0, firstPosition, 0, false, null, null, 0);

    /// <summary>The end after another frame, which must begin where this one is.</summary>
    public LogEnd After(in BatchFrame frame)
    {
        var next = this with { Offset = frame.End, Appends = Appends + 1 };
        if (frame.Flags.HasFlag(FrameFlags.Continues))
            return next with
            {
                PartOf = frame.Id, PartBytes = frame.Payload.Length + (PartOf == frame.Id ? PartBytes : 0)
            };
        return next with
        {
            Position = Position + 1,
            IsSealed = frame.Flags.HasFlag(FrameFlags.EndsSegment),
            LastId = frame.Id,
            PartOf = null,
            PartBytes = 0
        };
    }

    /// <summary>What is wrong with a frame as the next one, or <see langword="null"/>.</summary>
    public string? Check(in BatchFrame frame)
    {
        if (frame.Position != Position) return $"batch {frame.Position} is where batch {Position} should be";
        return IsSealed ? $"batch {frame.Position} is behind the end of its segment" : null;
    }
}
