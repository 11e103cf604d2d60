using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Scoring;

/// <summary>What tables are searched for.</summary>
/// <param name="P99MaxMicroseconds">
/// The 99th percentile of latency may be so much; <see langword="null"/> for commits a second whatever the latency.
/// </param>
internal sealed record ScoreObjective(long? P99MaxMicroseconds = null)
{
    /// <summary>Commits a second.</summary>
    public static readonly ScoreObjective Throughput = new();

    /// <summary>
    /// What a replay is worth: its commits a second, less in proportion as its 99th percentile exceeds the bound, so
    /// that a search finds its way back below it.
    /// </summary>
    /// <param name="score">What the replay came to.</param>
    public double Of(ReplayScore score)
    {
        ArgumentNullException.ThrowIfNull(score);
        return Of(score.CommittedPerSecond, score.P99Microseconds);
    }

    /// <summary>The same of a measurement.</summary>
    /// <param name="committedPerSecond">Commits a second.</param>
    /// <param name="p99Microseconds">The 99th percentile of their latency.</param>
    public double Of(double committedPerSecond, long p99Microseconds) =>
        P99MaxMicroseconds is { } most && p99Microseconds > most
            ? committedPerSecond * most / p99Microseconds
            : committedPerSecond;

    /// <inheritdoc/>
    public override string ToString() =>
        P99MaxMicroseconds is { } most
            ? FormattableString.Invariant($"commits a second with a p99 of at most {most / 1e3:0.###} ms")
            : "commits a second";
}
