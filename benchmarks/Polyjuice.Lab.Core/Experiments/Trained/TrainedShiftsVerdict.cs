namespace Polyjuice.Lab.Experiments.Trained;

/// <summary>What a <see cref="TrainedShiftsExperiment"/> shows, phase by phase.</summary>
internal static class TrainedShiftsVerdict
{
    /// <summary>The diagram with one place for each phase.</summary>
    public const string ByPhase = "by phase";

    public const string Trainer = "the silos' trainer";
    public const string Began = "the table it began with";
    public const string Offline = "a table trained for each phase";
    public const string Rate = "committed/s";
    public const string Failed = "failed";
    public const string Published = "published";
    public const string TakenBack = "taken back";

    /// <summary>Of what the table trained for a phase makes, the trainer's cluster must make so much.</summary>
    private const double ShareMin = 0.9;

    public static IEnumerable<Finding> Judge(IReadOnlyList<ExperimentPoint> points, TrainedShiftsSettings settings)
    {
        var by = points.Where(point => point.Panel == ByPhase).ToLookup(point => point.Series);
        foreach (var point in by[Trainer].OrderBy(point => point.X))
        {
            var phase = (int)point.X;
            var (rate, began, offline) = (point[Rate], RateOf(Began), RateOf(Offline));
            var text = FormattableString.Invariant(
                $"phase {phase} ({settings.Phases[phase - 1]}): {Trainer} makes {rate:N0}/s ")
                + FormattableString.Invariant($"from {settings.React.TotalSeconds:0} s after the shift on");
            yield return Claim(
                $"{text}, {rate / offline:0.00} of what {Offline} makes ({offline:N0}/s).",
                rate >= ShareMin * offline);
            yield return Claim($"{text}, {rate / began:0.00} of what {Began} makes ({began:N0}/s).", rate >= began);
            var (published, takenBack) = (point[Published], point[TakenBack]);
            yield return Claim($"phase {phase}: {published:0} release(s) published, {takenBack:0} taken back.", null);

            double RateOf(string series) => by[series].Single(other => (int)other.X == phase)[Rate];
        }

        var failed = by[Trainer].Sum(point => point[Failed]);
        yield return Claim($"{failed:N0} calls failed while {Trainer} swapped tables.", failed == 0);
        var all = by[Trainer].Sum(point => point[Published]);
        yield return Claim($"{Trainer} has published {all:N0} release(s).", all > 0);
    }

    private static Finding Claim(FormattableString text, bool? holds) => new(FormattableString.Invariant(text), holds);
}
