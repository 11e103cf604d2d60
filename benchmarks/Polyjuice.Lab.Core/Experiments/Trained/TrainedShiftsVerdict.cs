using Polyjuice.Training.Races;

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

    /// <summary>The trainer's cluster beside the table that it began with, turn by turn.</summary>
    public static readonly Compared OfBegan = new("of the first");

    /// <summary>Beside the table that was trained for the phase.</summary>
    public static readonly Compared OfOffline = new("of offline");

    public static IEnumerable<Finding> Judge(IReadOnlyList<ExperimentPoint> points, TrainedShiftsSettings settings)
    {
        var by = points.Where(point => point.Panel == ByPhase).ToLookup(point => point.Series);
        foreach (var point in by[Trainer].OrderBy(point => point.X))
        {
            var phase = (int)point.X;
            var (ofBegan, ofOffline) = (OfBegan.Of(point), OfOffline.Of(point));
            var text = FormattableString.Invariant(
                $"phase {phase} ({settings.Phases[phase - 1]}): {Trainer} makes {point[Rate]:N0}/s ")
                + FormattableString.Invariant($"from {settings.React.TotalSeconds:0} s after the shift on");
            yield return Claim(
                $"{text}, {Text(ofOffline)} of what {Offline} makes ({RateOf(Offline):N0}/s).",
                ofOffline.Ratio >= ShareMin);

            // Where it has kept that table, both make the same but for chance.
            yield return Claim(
                $"{text}, beyond chance not less than {Began}: {Text(ofBegan)} of {RateOf(Began):N0}/s.",
                ofBegan.High >= 1);
            var (published, takenBack) = (point[Published], point[TakenBack]);
            yield return Claim($"phase {phase}: {published:0} release(s) published, {takenBack:0} taken back.", null);

            double RateOf(string series) => by[series].Single(other => (int)other.X == phase)[Rate];
        }

        var failed = by[Trainer].Sum(point => point[Failed]);
        yield return Claim($"{failed:N0} calls failed while {Trainer} swapped tables.", failed == 0);
        var all = by[Trainer].Sum(point => point[Published]);
        yield return Claim($"{Trainer} has published {all:N0} release(s).", all > 0);
    }

    private static string Text(RateRatio ratio) =>
        FormattableString.Invariant($"{ratio.Ratio:0.00} (95 %: {ratio.Low:0.00} to {ratio.High:0.00})");

    private static Finding Claim(FormattableString text, bool? holds) => new(FormattableString.Invariant(text), holds);

    /// <summary>What the trainer's cluster makes beside another one, as figures of a sample.</summary>
    /// <param name="Name">Of the ratio.</param>
    internal sealed record Compared(string Name)
    {
        /// <summary>As figures.</summary>
        public IEnumerable<(string Name, double Value)> Figures(RateRatio ratio) =>
            [(Name, ratio.Ratio), ($"{Name}, low", ratio.Low), ($"{Name}, high", ratio.High)];

        /// <summary>The reverse.</summary>
        public RateRatio Of(ExperimentPoint point) => new(point[Name], point[$"{Name}, low"], point[$"{Name}, high"]);
    }
}
