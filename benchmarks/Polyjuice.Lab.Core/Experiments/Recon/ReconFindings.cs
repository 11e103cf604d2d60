using static System.FormattableString;

namespace Polyjuice.Lab.Experiments.Recon;

/// <summary>
/// What the points of the experiment say: a sentence for each place, and what they are held against. Ratios are medians
/// of those of each round, with the least and the most.
/// </summary>
internal static class ReconFindings
{
    /// <summary>The figure that is compared.</summary>
    public const string Rate = "committed/s";

    private const string Run = "run";
    private const string Reserve = "reserve";
    private const string Auto = "auto";
    private const string DryRun = "dry-run";
    private const string Locking = "locking";

    /// <summary>What <c>auto</c> may make less than the better of what it chooses from.</summary>
    private const double AutoLossMax = 0.1;

    /// <summary>The same where hardly anything conflicts.</summary>
    private const double AutoLossWithoutSkewMax = 0.03;

    private const double DryRunCostMax = 0.45;

    /// <summary>The series that others are compared with.</summary>
    public static IReadOnlyList<string> Bases { get; } = [Run, Reserve, AdmissionTable.Declared, Locking];

    /// <summary>All of it.</summary>
    public static IEnumerable<Finding> Of(IReadOnlyList<ExperimentPoint> points)
    {
        var places = points.GroupBy(point => point.Panel)
            .SelectMany(
                panel => panel.GroupBy(point => point.X).OrderBy(at => at.Key)
                    .Select(at => new Place(panel.Key, at.Key, at.ToDictionary(point => point.Series))))
            .ToList();
        return places.Select(Sentence).OfType<Finding>().Concat(Claims(places));
    }

    private static Finding? Sentence(Place place)
    {
        var parts = new List<string>();
        foreach (var series in new[] { Reserve, AdmissionTable.DryRunReserve, AdmissionTable.Declared })
        {
            if (place[series] is not { } point) continue;
            parts.Add(
                Invariant(
                    $"{series} {point[Rate]:N0}/s with {point["conflicts"]:0} aborts by conflict; the hottest grain is held for {point["hold ms"]:0.###} ms (p99 {point["hold p99 ms"]:0.###}), and {point["of 1/hold"]:P0} of 1/hold = {point["1/hold"]:N0}/s is reached"));
            if (place.Ratio(series, Locking) is { } timesLocking)
                parts.Add(
                    Invariant(
                        $"{timesLocking.Median:0.0} times locking ({timesLocking.Least:0.0}–{timesLocking.Most:0.0})"));
        }

        if (place[Run] is { } run && place.Ratio(DryRun, Run) is { } dry)
            parts.Add(Invariant($"a dry run costs {1 - dry.Median:P0} of run's {run[Rate]:N0}/s"));
        if (place.OfBetter(Auto, Run, Reserve) is { } auto)
            parts.Add($"auto makes {auto} of the better of run and reserve");
        if (place.OfBetter(AdmissionTable.AutoDeclared, Run, AdmissionTable.Declared) is { } declared)
            parts.Add($"with declared sets {declared} of the better of run and declared");
        foreach (var series in new[] { Run, Reserve })
        {
            if (place[series] is { } point)
                parts.Add(
                    Invariant(
                        $"under {series} {point["span p50 ms"]:0.##} ms (p99 {point["span p99 ms"]:0.##}) from first to last step"));
        }

        return parts.Count == 0 ? null : new($"{place.Title}: {string.Join("; ", parts)}.");
    }

    private static IEnumerable<Finding> Claims(List<Place> places)
    {
        var autos = places.Select(place => (place.Title, Share: place.OfBetter(Auto, Run, Reserve)))
            .Where(at => at.Share is not null).ToList();
        if (autos.Count > 0)
        {
            var (title, share) = autos.MinBy(at => at.Share!.Ratio.Median);
            yield return new(
                Invariant(
                    $"auto makes at least {1 - AutoLossMax:P0} of the better of run and reserve everywhere: least, {share}, at {title}."),
                share!.Ratio.Median >= 1 - AutoLossMax);
        }

        foreach (var place in places.Where(place => place is { X: 0, Panel: not ReconExperiment.Calvin }))
        {
            if (place.Ratio(DryRun, Run) is { } dry)
                yield return new(
                    Invariant(
                        $"A dry run costs at most {DryRunCostMax:P0} of throughput at {place.Title}: {1 - dry.Median:P0} ({1 - dry.Most:P0}–{1 - dry.Least:P0})."),
                    1 - dry.Median <= DryRunCostMax);
            if (place.Ratio(Auto, Run) is { } auto)
                yield return new(
                    Invariant(
                        $"auto loses at most {AutoLossWithoutSkewMax:P0} at {place.Title}: {auto.Median:P1} ({auto.Least:P0}–{auto.Most:P0}) of run."),
                    auto.Median >= 1 - AutoLossWithoutSkewMax);
        }
    }

    /// <summary>All series at one place of one panel.</summary>
    private sealed record Place(string Panel, double X, IReadOnlyDictionary<string, ExperimentPoint> Series)
    {
        public string Title =>
            Invariant($"{Panel}, {(Panel == ReconExperiment.Calvin ? "contention index" : "θ")} {X:0.####}");

        public ExperimentPoint? this[string series] => Series.GetValueOrDefault(series);

        public Spread? Ratio(string series, string divisor) =>
            this[series]?.Figures.GetValueOrDefault(new PairedRatio(Rate, divisor).Name);

        /// <summary>
        /// What a series makes of the better one of two: of that one which makes more in most rounds.
        /// </summary>
        public Share? OfBetter(string series, string first, string second)
        {
            if (Ratio(second, first) is not { } between) return null;
            var better = between.Median > 1 ? second : first;
            return Ratio(series, better) is { } ratio ? new(ratio, better) : null;
        }
    }

    private sealed record Share(Spread Ratio, string Better)
    {
        public override string ToString() =>
            Invariant($"{Ratio.Median:P0} ({Ratio.Least:P0}–{Ratio.Most:P0}, {Better})");
    }
}
