using Polyjuice.Embedded;

namespace Polyjuice.Benchmarking.Reporting;

/// <summary>Pauses of silos' loops of 20 ms and more, by cause; see <see cref="LoopPauses"/>. Times in milliseconds.</summary>
public sealed record LoopPausesRow
{
    /// <summary>The longest turn of a loop.</summary>
    public double LongestTurnMs { get; init; }

    /// <summary>The longest that the garbage collector held a turn up.</summary>
    public double LongestCollectionMs { get; init; }

    /// <summary>The longest that the making of a checkpoint ran on a loop itself.</summary>
    public double LongestCheckpointTurnMs { get; init; }

    /// <summary>Pauses that the garbage collector made.</summary>
    public long Collections { get; init; }

    /// <summary>Other pauses while a checkpoint was made in the background.</summary>
    public long BesideCheckpoints { get; init; }

    /// <summary>The longest of those.</summary>
    public double LongestBesideCheckpointMs { get; init; }

    /// <summary>All others.</summary>
    public long Others { get; init; }

    /// <summary>The longest of those.</summary>
    public double LongestOtherMs { get; init; }

    internal static LoopPausesRow Of(IEnumerable<LoopPauses> intervals)
    {
        var sum = intervals.Aggregate(new LoopPauses(), (one, other) => one.With(other));
        return new LoopPausesRow
        {
            LongestTurnMs = Milliseconds(sum.LongestTurn),
            LongestCollectionMs = Milliseconds(sum.LongestCollection),
            LongestCheckpointTurnMs = Milliseconds(sum.LongestCheckpointTurn),
            Collections = sum.Collections.Count,
            BesideCheckpoints = sum.BesideCheckpoints.Count,
            LongestBesideCheckpointMs = Milliseconds(sum.BesideCheckpoints.Longest),
            Others = sum.Others.Count,
            LongestOtherMs = Milliseconds(sum.Others.Longest),
        };
    }

    private static double Milliseconds(TimeSpan time) => Math.Round(time.TotalMilliseconds, 2);
}
