using System.Globalization;

namespace Polyjuice.Publishing.Following;

/// <summary>What was done in some time, of which intervals are parts.</summary>
internal sealed class LoadFigures
{
    /// <summary>Below this, times are what the hosts' clocks lag behind.</summary>
    private const double TimeLeast = 1e-5;

    public LoadFigures(IReadOnlyList<LoadInterval> intervals)
    {
        Rates = [.. intervals.Select(interval => interval.Rate)];
        Times = [.. intervals.Where(interval => interval.HasWork).Select(interval => interval.TimePerCommit)];
        Commits = intervals.Sum(interval => interval.Commits);
        Rate = RankTest.Median(Rates);
        var open = intervals.Sum(interval => interval.OpenSeconds);
        var seconds = intervals.Sum(interval => interval.Seconds);
        AbortsPerCommit = intervals.Sum(interval => interval.Aborts) / (double)Math.Max(1, Commits);
        Open = seconds > 0 ? open / seconds : 0;
        Time = Commits > 0 ? Math.Max(TimeLeast, open / Commits) : open > 0 ? double.PositiveInfinity : TimeLeast;
    }

    /// <summary>How many intervals there are.</summary>
    public int Count => Rates.Length;

    /// <summary>Committed a second, interval by interval.</summary>
    public double[] Rates { get; }

    /// <summary>
    /// Seconds open for each commit, interval by interval; of those in which there was anything to do.
    /// </summary>
    public double[] Times { get; }

    /// <summary>Transactions committed in all.</summary>
    public long Commits { get; }

    /// <summary>The median of <see cref="Rates"/>.</summary>
    public double Rate { get; }

    /// <summary>Attempts that conflicts aborted, for each commit.</summary>
    public double AbortsPerCommit { get; }

    /// <summary>Transactions open at a time, on average.</summary>
    public double Open { get; }

    /// <summary>
    /// Seconds open for each commit, over all of it: by Little's law, how long
    /// a transaction takes, what it takes those included that never commit.
    /// </summary>
    public double Time { get; }

    /// <summary>Both, for people.</summary>
    public static string Compare(LoadFigures before, LoadFigures since) => string.Create(
        CultureInfo.InvariantCulture,
        $"committed a second {before.Rate:N0} → {since.Rate:N0}, aborted attempts for each commit "
        + $"{before.AbortsPerCommit:0.00} → {since.AbortsPerCommit:0.00}, ms open for each commit "
        + $"{before.Time * 1e3:0.0} → {since.Time * 1e3:0.0}, open at a time {before.Open:0.0} → {since.Open:0.0}");
}
