namespace Polyjuice.Lab.Experiments;

/// <summary>A point as it was measured, round by round.</summary>
/// <param name="Panel">As <see cref="ExperimentPoint.Panel"/>.</param>
/// <param name="Series">As <see cref="ExperimentPoint.Series"/>.</param>
/// <param name="X">As <see cref="ExperimentPoint.X"/>.</param>
/// <param name="Rounds">The figures of each round, at least one.</param>
internal sealed record MeasuredPoint(
    string Panel, string Series, double X, IReadOnlyList<IReadOnlyDictionary<string, double>> Rounds)
{
    /// <summary>Whether it is of another series at the same place.</summary>
    public bool IsBeside(MeasuredPoint other) => Panel == other.Panel && X.Equals(other.X) && Series != other.Series;

    /// <summary>Over all rounds.</summary>
    /// <param name="ratios">What to divide by what, where that was measured.</param>
    public ExperimentPoint Summed(IEnumerable<(PairedRatio Ratio, MeasuredPoint? Base)> ratios)
    {
        var figures = Rounds[0].Keys.ToDictionary(
            name => name, name => Spread.Of([.. Rounds.Select(figures => figures.GetValueOrDefault(name))]));
        foreach (var (ratio, divisor) in ratios)
        {
            // A series of which a round is missing, because it was broken off, has no partner there.
            var pairs = divisor is null
                ? []
                : Rounds.Zip(
                    divisor.Rounds,
                    (mine, its) =>
                        (Mine: mine.GetValueOrDefault(ratio.Figure), Its: its.GetValueOrDefault(ratio.Figure)))
                    .Where(pair => pair.Its != 0).ToList();
            if (pairs.Count > 0) figures.Add(ratio.Name, Spread.Of([.. pairs.Select(pair => pair.Mine / pair.Its)]));
        }

        return new(Panel, Series, X, figures);
    }
}
