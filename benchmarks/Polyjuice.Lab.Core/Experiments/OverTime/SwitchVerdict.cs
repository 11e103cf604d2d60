using Polyjuice.Lab.Reporting;

namespace Polyjuice.Lab.Experiments.OverTime;

/// <summary>
/// Whether switches of the policy cost throughput: the worst of
/// the seconds around each, against the seconds that had none.
/// </summary>
/// <param name="Switches">How many there were.</param>
/// <param name="MedianWorst">
/// The median, over the switches, of the worst second around each: the one with the switch, and the next.
/// </param>
/// <param name="UndisturbedLow">The 5th percentile of the other seconds.</param>
internal sealed record SwitchVerdict(int Switches, double MedianWorst, double UndisturbedLow)
{
    private const int SecondsAround = 2;

    /// <summary>
    /// Whether the median worst second is no lower than what seconds without a switch fall to by themselves.
    /// </summary>
    public bool Holds => MedianWorst >= UndisturbedLow;

    /// <summary>Judges a run.</summary>
    /// <param name="rates">What was committed in each second.</param>
    /// <param name="switches">The seconds, by index, in which there was a switch.</param>
    /// <exception cref="ArgumentException">There is no switch, or no second without.</exception>
    public static SwitchVerdict Of(IReadOnlyList<double> rates, IReadOnlyList<int> switches)
    {
        ArgumentNullException.ThrowIfNull(rates);
        ArgumentNullException.ThrowIfNull(switches);
        var within = switches.Where(at => at < rates.Count).ToList();
        var around = within.SelectMany(at => Enumerable.Range(at, SecondsAround)).ToHashSet();
        var others = rates.Where((_, second) => !around.Contains(second)).Order().ToList();
        if (within.Count == 0 || others.Count == 0)
            throw new ArgumentException(
                $"{within.Count} switches and {others.Count} seconds without one are not enough to compare.",
                nameof(switches));
        var worst = within.Select(at => rates.Skip(at).Take(SecondsAround).Min());
        return new SwitchVerdict(within.Count, worst.Median(), others[(int)Math.Ceiling(others.Count * 0.05) - 1]);
    }
}
