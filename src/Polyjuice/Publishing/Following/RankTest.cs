namespace Polyjuice.Publishing.Following;

/// <summary>
/// Compares two samples by order alone, so that a second with a collection
/// of garbage weighs no more than any other. Mann and Whitney, 1947.
/// </summary>
internal static class RankTest
{
    /// <summary>Of the normal distribution: what it is below 1 time in 100.</summary>
    private const double ZOfOneInHundred = -2.326;

    /// <summary>The median; 0 of none.</summary>
    public static double Median(IReadOnlyCollection<double> values)
    {
        if (values.Count == 0) return 0;
        var sorted = values.Order().ToArray();
        var middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 || sorted[middle - 1] == sorted[middle]
            ? sorted[middle]
            : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// <summary>
    /// Whether one sample is lower than another, with an error of 1 in 100 at most if
    /// their members are drawn independently: the U statistic's normal approximation,
    /// corrected for ties and continuity. Of fewer than five each it says no.
    /// </summary>
    public static bool IsLower(IReadOnlyList<double> sample, IReadOnlyList<double> than)
    {
        const int Least = 5;
        var (n, m) = (sample.Count, than.Count);
        if (n < Least || m < Least) return false;
        var above = sample.Sum(one => than.Sum(other => one > other ? 1.0 : one == other ? 0.5 : 0));
        var all = n + m;
        var ties = sample.Concat(than).GroupBy(value => value).Sum(tied => Math.Pow(tied.Count(), 3) - tied.Count());
        var variance = n * m / 12.0 * (all + 1 - (ties / ((double)all * (all - 1))));
        return variance > 0 && (above - (n * m / 2.0) + 0.5) / Math.Sqrt(variance) < ZOfOneInHundred;
    }

    /// <summary>
    /// Whether every member of one sample is lower than every member of another, and that would
    /// happen once in 10,000 times at most if they were alike: of all ways to choose which
    /// members are the first sample's, one. Strong enough to be asked again every second.
    /// </summary>
    public static bool IsAllLower(IReadOnlyList<double> sample, IReadOnlyList<double> than)
    {
        const double Ways = 10_000;
        if (sample.Count == 0 || than.Count == 0 || sample.Max() >= than.Min()) return false;
        var ways = 1.0;
        for (var i = 1; i <= sample.Count && ways < Ways; i++) ways *= (than.Count + i) / (double)i;
        return ways >= Ways;
    }
}
