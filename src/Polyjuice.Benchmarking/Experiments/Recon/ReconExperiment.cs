using System.Globalization;
using Polyjuice.Benchmarking.Load;

namespace Polyjuice.Benchmarking.Experiments.Recon;

/// <summary>
/// What dry runs and reservations bring: transfers among five records under growing skew, on warm and on cold grains, with fast and slow storage (Eldeeb's thesis, §4.7), and the micro-benchmark of Calvin's paper with one hot record
/// for each participant.
/// </summary>
/// <param name="settings">What it is run with; <see langword="null"/> for what suits the scale.</param>
public sealed class ReconExperiment(ReconSettings? settings = null) : IExperiment
{
    /// <summary>The panel of Calvin's micro-benchmark.</summary>
    public const string Calvin = "one hot record a partition";

    /// <inheritdoc/>
    public string Name => "recon";

    /// <inheritdoc/>
    public string Description => "Dry runs and reservations: transfers under growing skew, on warm and cold grains, with fast and slow storage, and Calvin's contention micro-benchmark (Eldeeb, §4.7).";

    /// <inheritdoc/>
    public ExperimentPlan Plan(ExperimentScale scale)
    {
        ArgumentNullException.ThrowIfNull(scale);
        var chosen = settings ?? ReconSettings.Of(scale);
        return new ExperimentPlan
        {
            Arms = Arms(chosen),
            Rounds = scale.Rounds,
            WarmsUp = scale.Name != ExperimentScale.Brief.Name,
            Settings = new Dictionary<string, string>
            {
                ["records"] = chosen.Records.ToString(CultureInfo.InvariantCulture), ["clients"] = chosen.Clients.ToString(CultureInfo.InvariantCulture), ["silos"] = chosen.Silos.ToString(CultureInfo.InvariantCulture),
                ["seconds"] = chosen.Measured.TotalSeconds.ToString(CultureInfo.InvariantCulture), ["rounds"] = scale.Rounds.ToString(CultureInfo.InvariantCulture), ["seed"] = chosen.Seed.ToString(CultureInfo.InvariantCulture),
            },
            Panels =
            [
                .. from storage in chosen.Storage from isCold in new[] { false, true } select new ExperimentPanel(PanelOf(storage, isCold), "Zipfian skew θ"),
                new(Calvin, "contention index", ChartKind.LogarithmicCurves),
            ],
            Drawn = [new("committed/s", "committed a second"), new("aborted", "share of attempts aborted by conflicts"), new("span p99 ms", "first to last step, p99 ms")],
            Findings = points => Summary(points).Select(sentence => new Finding(sentence)),
        };
    }

    /// <summary>Everything that is measured.</summary>
    public static IReadOnlyList<ExperimentArm> Arms(ReconSettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        var keys = new SkewedKeys(settings.Records, settings.Seed);
        var arms = new List<ExperimentArm>();
        foreach (var storage in settings.Storage)
        {
            foreach (var isCold in new[] { false, true })
            {
                foreach (var theta in settings.Thetas)
                    arms.AddRange(settings.Policies.Select(policy => Arm(PanelOf(storage, isCold), policy, theta, storage, isCold, _ => new SkewedTransfer(keys.For(theta)))));
            }
        }

        foreach (var index in settings.ContentionIndexes)
            arms.AddRange(settings.Policies.Select(policy => Arm(Calvin, policy, index, TimeSpan.Zero, isCold: false, partitions => new HotTransfer(partitions, index))));
        return arms;

        ExperimentArm Arm(string panel, string policy, double x, TimeSpan storage, bool isCold, Func<IReadOnlyList<long>[], ITransferKeys> choose) =>
            new(panel, policy, x, new ReconCase(settings, policy, storage, isCold, choose).MeasureAsync);
    }

    /// <summary>The panel of transfers on grains that are loaded, or not, with a storage of some latency.</summary>
    public static string PanelOf(TimeSpan storage, bool isCold) => FormattableString.Invariant($"{(isCold ? "cold" : "warm")} grains, storage {storage.TotalMilliseconds:0.#} ms");

    /// <summary>What the points say, in sentences.</summary>
    internal static IEnumerable<string> Summary(IReadOnlyList<ExperimentPoint> points)
    {
        foreach (var panel in points.GroupBy(point => point.Panel))
        {
            foreach (var at in panel.GroupBy(point => point.X).OrderBy(group => group.Key))
            {
                var by = at.ToDictionary(point => point.Series);
                double Rate(string series) => by.TryGetValue(series, out var point) ? point["committed/s"] : 0;
                var parts = new List<string>();
                foreach (var series in new[] { "reserve", "declared" })
                {
                    if (!by.TryGetValue(series, out var reserved)) continue;
                    parts.Add(FormattableString.Invariant($"{series} {Rate(series):N0}/s with {reserved["conflicts"]:0} aborts by conflict; the hottest grain is held for {reserved["hold ms"]:0.###} ms (p99 {reserved["hold p99 ms"]:0.###}), and {reserved["of 1/hold"]:P0} of 1/hold = {reserved["1/hold"]:N0}/s is reached"));
                    if (Rate("locking") > 0) parts.Add(FormattableString.Invariant($"{Rate(series) / Rate("locking"):0.0} times locking"));
                }

                by.TryGetValue("reserve", out var reserve);
                if (Rate("run") > 0 && Rate("dry-run") > 0) parts.Add(FormattableString.Invariant($"a dry run costs {1 - (Rate("dry-run") / Rate("run")):P0} of run's {Rate("run"):N0}/s"));
                if (Math.Max(Rate("run"), Rate("reserve")) is > 0 and var better && by.ContainsKey("auto")) parts.Add(FormattableString.Invariant($"auto reaches {Rate("auto") / better:P0} of the better of run and reserve"));
                if (Math.Max(Rate("run"), Rate(AdmissionTable.Declared)) is > 0 and var best && by.ContainsKey(AdmissionTable.AutoDeclared))
                    parts.Add(FormattableString.Invariant($"with declared sets {Rate(AdmissionTable.AutoDeclared) / best:P0} of the better of run and declared"));
                if (by.TryGetValue("run", out var run)) parts.Add(FormattableString.Invariant($"from first to last step {run["span p50 ms"]:0.##} ms (p99 {run["span p99 ms"]:0.##}) under run{(reserve is null ? "" : FormattableString.Invariant($", {reserve["span p50 ms"]:0.##} (p99 {reserve["span p99 ms"]:0.##}) under reserve"))}"));
                if (parts.Count > 0) yield return FormattableString.Invariant($"{panel.Key}, {(panel.Key == Calvin ? "contention index" : "θ")} {at.Key:0.####}: {string.Join("; ", parts)}.");
            }
        }
    }
}
