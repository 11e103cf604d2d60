namespace Polyjuice.Storage;

/// <summary>A log as it was at one moment; what is in it stays true, apart from what is trimmed.</summary>
/// <param name="Segments">First positions, ascending.</param>
/// <param name="LastLength">How much of the last one counts.</param>
/// <param name="End">The number of batches.</param>
internal readonly record struct LogSnapshot(long[] Segments, long LastLength, long End)
{
    /// <summary>The index of the segment that a batch is in.</summary>
    /// <exception cref="LogTrimmedException">In none any more.</exception>
    public int SegmentOf(long position)
    {
        var at = Array.BinarySearch(Segments, position);
        if (at < 0) at = ~at - 1;
        return at >= 0 ? at : throw new LogTrimmedException(position, Segments[0]);
    }
}
