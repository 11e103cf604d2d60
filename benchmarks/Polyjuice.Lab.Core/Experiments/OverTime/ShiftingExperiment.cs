using System.Globalization;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;

namespace Polyjuice.Lab.Experiments.OverTime;

/// <summary>
/// A workload that changes every few seconds in ways that no one foresees, under tables that stay as they are and under
/// those that choose: by participant (CormCC, §6.4), by admission, and among tables.
/// </summary>
/// <param name="name">See <see cref="IExperiment.Name"/>.</param>
/// <param name="description">See <see cref="IExperiment.Description"/>.</param>
/// <param name="panel">The diagram's name.</param>
/// <param name="planOf">The workload and its sizes.</param>
/// <param name="phasesOf">What it is, one after the other; at least one.</param>
internal sealed class ShiftingExperiment(
    string name, string description, string panel, Func<ExperimentScale, BenchmarkPlan> planOf,
    Func<ExperimentScale, IReadOnlyList<LoadPhase>> phasesOf) : IExperiment
{
    /// <summary>Those that choose while they run.</summary>
    private static readonly string[] _adaptive = ["cormcc", "auto", "chosen"];

    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public string Description => description;

    /// <inheritdoc/>
    public ExperimentPlan Plan(ExperimentScale scale)
    {
        ArgumentNullException.ThrowIfNull(scale);
        var phases = phasesOf(scale);
        var length = scale.Of(TimeSpan.FromSeconds(0.5), TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(5));
        var second = scale.Of(0.25, 0.5, 1);
        var tables = scale.TablesOr([
            .. _adaptive, "occ", "locking", "2pl-wound-wait", "2pl-star", "dirty-public", "reserve"
        ]);
        var due = Enumerable.Range(1, phases.Count - 1).Select(i => length * i).ToList();
        var plan = planOf(scale) with { Measured = length * phases.Count, OperationsPerInterval = null };
        return new ExperimentPlan
        {
            Arms = [.. tables.Select(table => new ExperimentArm(panel, table.Name, MeasureAsync(table)))],
            Rounds = 1,
            WarmsUp = false,
            Settings = new Dictionary<string, string>(PlanSettings.Of(plan, rounds: 1))
            {
                ["phases"] = string.Join("; ", phases.Select(phase => phase.Text)),
                ["seconds a phase"] = length.TotalSeconds.ToString(CultureInfo.InvariantCulture),
            },
            Panels =
            [
                new(panel, "seconds", ChartKind.Time)
                {
                    Marks = [.. due.Select((time, i) => new ChartMark(time.TotalSeconds, phases[i + 1].Text))]
                }
            ],
            Drawn = [new("committed/s", "committed a second")],
            Findings = points => Judge(points, length, phases),
        };

        Func<int, CancellationToken, Task<IReadOnlyList<ArmSample>>> MeasureAsync(Policies.IPolicyCompiler table) =>
            async (round, cancellationToken) =>
            {
                Timeline? timeline = null;
                await new WorkloadCase(scale.Start, plan, table).RunAsync(
                    round,
                    (_, workload) =>
                    {
                        phases[0].Begin(workload);
                        return timeline = new Timeline(due, i => phases[i + 1].Begin(workload));
                    },
                    cancellationToken);
                return [
                    .. timeline!.Rates(TimeSpan.FromSeconds(second))
                    .Select(
                        (rate, i) => new ArmSample(
                            (i + 0.5) * second, new Dictionary<string, double> { ["committed/s"] = rate }))
                ];
            };
    }

    /// <summary>Phase by phase, what tables that choose make against the best and the worst of the others.</summary>
    internal static IEnumerable<Finding> Judge(
        IReadOnlyList<ExperimentPoint> points, TimeSpan length, IReadOnlyList<LoadPhase> phases)
    {
        var worst = new Dictionary<string, double>();
        for (var i = 0; i < phases.Count; i++)
        {
            var (from, to) = (length.TotalSeconds * i, length.TotalSeconds * (i + 1));
            var by = points.Where(point => point.X >= from && point.X < to).GroupBy(point => point.Series)
                .ToDictionary(series => series.Key, series => series.Select(point => point["committed/s"]).Median());
            var others = by.ExceptBy(_adaptive, table => table.Key).ToList();
            if (others.Count == 0) yield break;
            var best = others.MaxBy(table => table.Value);
            foreach (var name in _adaptive.Where(by.ContainsKey))
            {
                worst[name] = Math.Min(
                    worst.GetValueOrDefault(name, double.MaxValue), by[name] / Math.Max(best.Value, 1e-9));
                yield return new Finding(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"phase {i + 1} ({phases[i].Text}): {name} makes {by[name]:N0}/s, the best of the others "
                        + $"{best.Value:N0}/s ({best.Key}), the worst {others.Min(table => table.Value):N0}/s."));
            }
        }

        foreach (var (name, share) in worst)
            yield return new Finding(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"In its worst phase, {name} makes {share:P0} of what the best of the others makes (CormCC's "
                    + $"paper: 91% of the best of its candidates)."));
    }
}
