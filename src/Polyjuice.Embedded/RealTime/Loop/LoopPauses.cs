namespace Polyjuice.Embedded;

/// <summary>
/// How long silos' loops did not look for new work, and why, since that was asked the last time. A turn is a batch of work with the flush behind it, and the wait for a worker thread before it.
/// </summary>
public sealed record LoopPauses
{
    /// <summary>A turn of at least this length counts as a pause.</summary>
    public static readonly TimeSpan Threshold = TimeSpan.FromMilliseconds(20);

    /// <summary>The longest turn.</summary>
    public TimeSpan LongestTurn { get; init; }

    /// <summary>The longest that the garbage collector held a turn up.</summary>
    public TimeSpan LongestCollection { get; init; }

    /// <summary>The longest that the making of a checkpoint ran on a loop itself: the decision, and the word that it is done.</summary>
    public TimeSpan LongestCheckpointTurn { get; init; }

    /// <summary>Pauses of which the garbage collector took at least half.</summary>
    public PauseCount Collections { get; init; }

    /// <summary>Other pauses while a checkpoint was made in the background, or a log read.</summary>
    public PauseCount BesideCheckpoints { get; init; }

    /// <summary>All others: long turns of grains, and other threads and processes that had the processors.</summary>
    public PauseCount Others { get; init; }

    /// <summary>Both together.</summary>
    public LoopPauses With(LoopPauses other) => new()
    {
        LongestTurn = Longer(LongestTurn, other.LongestTurn),
        LongestCollection = Longer(LongestCollection, other.LongestCollection),
        LongestCheckpointTurn = Longer(LongestCheckpointTurn, other.LongestCheckpointTurn),
        Collections = Collections.With(other.Collections),
        BesideCheckpoints = BesideCheckpoints.With(other.BesideCheckpoints),
        Others = Others.With(other.Others),
    };

    internal static TimeSpan Longer(TimeSpan one, TimeSpan other) => one > other ? one : other;
}

/// <summary>Pauses of one cause.</summary>
/// <param name="Count">How many.</param>
/// <param name="Longest">The longest of them.</param>
public readonly record struct PauseCount(long Count, TimeSpan Longest)
{
    internal PauseCount With(PauseCount other) => new(Count + other.Count, LoopPauses.Longer(Longest, other.Longest));

    internal PauseCount And(TimeSpan one) => With(new PauseCount(1, one));
}
