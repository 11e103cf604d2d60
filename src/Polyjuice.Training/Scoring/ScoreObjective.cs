using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Scoring;

/// <summary>What tables are searched for.</summary>
/// <param name="P99MaxMicroseconds">The 99th percentile of latency may be so much; <see langword="null"/> for commits a second whatever the latency.</param>
public sealed record ScoreObjective(long? P99MaxMicroseconds = null)
{
    /// <summary>Commits a second.</summary>
    public static readonly ScoreObjective Throughput = new();

    /// <summary>What a replay is worth: its commits a second, less in proportion as its 99th percentile exceeds the bound, so that a search finds its way back below it.</summary>
    /// <param name="score">What the replay came to.</param>
    public double Of(ReplayScore score)
    {
        ArgumentNullException.ThrowIfNull(score);
        if (P99MaxMicroseconds is not { } most || score.P99Microseconds <= most) return score.CommittedPerSecond;
        return score.CommittedPerSecond * most / score.P99Microseconds;
    }

    /// <inheritdoc/>
    public override string ToString() => P99MaxMicroseconds is { } most ? FormattableString.Invariant($"commits a second with a p99 of at most {most / 1e3:0.###} ms") : "commits a second";
}
