using System.Globalization;
using Polyjuice.Benchmarking.Load;
using Polyjuice.Benchmarking.Reporting;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Benchmarking.Workloads.Ycsb;

namespace Polyjuice.Benchmarking.Experiments.OverTime;

/// <summary>
/// A workload that changes every few seconds in ways that no one foresees, under tables that stay as they are and under one that chooses by participant (CormCC, §6.4 and fig. 9). Of what that paper varies, there are the share of reads, the
/// length of a transaction and the skew; partitions of the data are not a thing here, so that nothing is more or less partitionable.
/// </summary>
public sealed class ShiftingExperiment : IExperiment
{
    private const string Panel = "YCSB that changes";
    private const string Adaptive = "cormcc";
    private static readonly int[] _reads = [50, 60, 70, 80, 90, 100];
    private static readonly int[] _operations = [4, 8, 15];
    private static readonly double[] _thetas = [0, 0.5, 0.9, 1.2, 1.5];

    /// <inheritdoc/>
    public string Name => "shifting";

    /// <inheritdoc/>
    public string Description => "YCSB whose share of reads, length of transactions and skew change every few seconds (CormCC, fig. 9).";

    /// <summary>The phases, at random but for the first, which is the paper's.</summary>
    /// <param name="count">How many.</param>
    /// <param name="seed">Of all choices.</param>
    public static IReadOnlyList<YcsbPhase> Phases(int count, ulong seed)
    {
        var random = new BenchmarkRandom(seed);
        return [new(YcsbMix.OfReads(80), 15, 0), .. Enumerable.Range(1, Math.Max(0, count - 1)).Select(_ => new YcsbPhase(YcsbMix.OfReads(Any(_reads)), Any(_operations), Any(_thetas)))];

        T Any<T>(T[] values) => values[random.Next(values.Length)];
    }

    /// <inheritdoc/>
    public ExperimentPlan Plan(ExperimentScale scale)
    {
        ArgumentNullException.ThrowIfNull(scale);
        var phases = Phases(scale.Of(2, 6, 10), scale.Seed);
        var length = scale.Of(TimeSpan.FromSeconds(0.5), TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(5));
        var second = scale.Of(0.25, 0.5, 1);
        var tables = scale.TablesOr(Adaptive, "occ", "locking", "2pl-star", "dirty-public");
        var due = Enumerable.Range(1, phases.Count - 1).Select(i => length * i).ToList();
        var plan = scale.PlanFor(YcsbWorkload.Definition, new WorkloadParameters(scale.Of(500, 5_000, 10_000))) with { Measured = length * phases.Count, OperationsPerInterval = null };
        return new ExperimentPlan
        {
            Arms = [.. tables.Select(table => new ExperimentArm(Panel, table.Name, MeasureAsync(table)))],
            Rounds = 1,
            WarmsUp = false,
            Settings = new Dictionary<string, string>(PlanSettings.Of(plan, rounds: 1))
            {
                ["sizes"] = string.Create(CultureInfo.InvariantCulture, $"{plan.Parameters.Accounts:N0} records"), ["phases"] = string.Join(", ", phases.Select(Text)), ["seconds a phase"] = length.TotalSeconds.ToString(CultureInfo.InvariantCulture),
            },
            Panels = [new(Panel, "seconds", ChartKind.Time) { Marks = [.. due.Select((time, i) => new ChartMark(time.TotalSeconds, Text(phases[i + 1])))] }],
            Drawn = [new("committed/s", "committed a second")],
            Findings = points => Judge(points, length, phases),
        };

        Func<int, CancellationToken, Task<IReadOnlyList<ArmSample>>> MeasureAsync(Policies.IPolicyCompiler table) => async (round, cancellationToken) =>
        {
            Timeline? timeline = null;
            await new WorkloadCase(scale.Start, plan, table).RunAsync(
                round,
                (_, workload) =>
                {
                    var ycsb = (YcsbWorkload)workload;
                    ycsb.Phase = phases[0];
                    return timeline = new Timeline(due, i => ycsb.Phase = phases[i + 1]);
                },
                cancellationToken);
            return [.. timeline!.Rates(TimeSpan.FromSeconds(second)).Select((rate, i) => new ArmSample((i + 0.5) * second, new Dictionary<string, double> { ["committed/s"] = rate }))];
        };
    }

    /// <summary>Phase by phase, what the table that chooses makes against the best and the worst of the others.</summary>
    internal static IEnumerable<Finding> Judge(IReadOnlyList<ExperimentPoint> points, TimeSpan length, IReadOnlyList<YcsbPhase> phases)
    {
        var worst = double.MaxValue;
        for (var i = 0; i < phases.Count; i++)
        {
            var (from, to) = (length.TotalSeconds * i, length.TotalSeconds * (i + 1));
            var by = points.Where(point => point.X >= from && point.X < to).GroupBy(point => point.Series).ToDictionary(series => series.Key, series => series.Select(point => point["committed/s"]).Median());
            if (!by.Remove(Adaptive, out var adaptive) || by.Count == 0) yield break;
            var best = by.MaxBy(table => table.Value);
            worst = Math.Min(worst, adaptive / Math.Max(best.Value, 1e-9));
            yield return new Finding(FormattableString.Invariant($"phase {i + 1} ({Text(phases[i])}): {Adaptive} makes {adaptive:N0}/s, the best of the others {best.Value:N0}/s ({best.Key}), the worst {by.Values.Min():N0}/s."));
        }

        yield return new Finding(FormattableString.Invariant($"In its worst phase, {Adaptive} makes {worst:P0} of what the best of the others makes (CormCC's paper: 91% of the best of its candidates)."));
    }

    private static string Text(YcsbPhase phase) => FormattableString.Invariant($"{phase.Mix.Name}, {phase.Operations} operations, θ {phase.Theta:0.##}");
}
