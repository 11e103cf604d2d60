using System.Globalization;
using Polyjuice.Benchmarking.Workloads;
using Polyjuice.Policies;

namespace Polyjuice.Benchmarking.Experiments.OverTime;

/// <summary>Switches the policy under full load, and counts what is committed second by second (the Polyjuice paper, §7.6.2 and fig. 10, with more switches).</summary>
/// <param name="workload">What clients do.</param>
/// <param name="parameters">Its sizes, by scale.</param>
public sealed class SwitchExperiment(WorkloadDefinition workload, Func<ExperimentScale, WorkloadParameters> parameters) : IExperiment
{
    private const string Seconds = "throughput over time";
    private const string Whole = "all switches";

    /// <inheritdoc/>
    public string Name => "switch";

    /// <inheritdoc/>
    public string Description => $"Policy switches under full load of {workload.Name}, second by second (Polyjuice, fig. 10).";

    /// <inheritdoc/>
    public ExperimentPlan Plan(ExperimentScale scale)
    {
        ArgumentNullException.ThrowIfNull(scale);
        var tables = scale.TablesOr("occ", "ic3", "dirty-public");
        var switches = scale.Of(3, 20, 20);
        var second = scale.Of(TimeSpan.FromSeconds(0.25), TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        var period = second * scale.Of(3, 3, 6);
        // A quarter into a second, so that a report a little late is still in the same one.
        var due = Enumerable.Range(1, switches).Select(i => (period * i) + (second / 4)).ToList();
        var sizes = parameters(scale);
        var plan = scale.PlanFor(workload, sizes) with { Measured = period * (switches + 1), Warmup = second * 2, OperationsPerInterval = null };
        return new ExperimentPlan
        {
            Arms = [new ExperimentArm(Seconds, "committed", MeasureAsync)],
            Rounds = 1,
            WarmsUp = false,
            Settings = new Dictionary<string, string>(PlanSettings.Of(plan, rounds: 1))
            {
                ["tables"] = string.Join(", ", tables.Select(table => table.Name)), ["seconds between switches"] = period.TotalSeconds.ToString(CultureInfo.InvariantCulture),
            },
            Panels =
            [
                new(Seconds, "seconds", ChartKind.Time) { Marks = [.. due.Select((time, i) => new ChartMark(time.TotalSeconds, TableAt(i).Name))] },
                new(Whole, "switches", ChartKind.Bars),
            ],
            Drawn = [new("committed/s", "committed a second"), new("worst", "median worst second around a switch"), new("undisturbed", "5th percentile of the other seconds")],
            Findings = Judge,
        };

        IPolicyCompiler TableAt(int change) => tables[(change + 1) % tables.Count];

        async Task<IReadOnlyList<ArmSample>> MeasureAsync(int round, CancellationToken cancellationToken)
        {
            Timeline? timeline = null;
            var sample = await new WorkloadCase(scale.Start, plan, tables[0]).RunAsync(round, (cluster, _) => timeline = new Timeline(due, i => cluster.Swap(TableAt(i))), cancellationToken);
            if (cancellationToken.IsCancellationRequested) return [];
            var rates = timeline!.Rates(second);
            var verdict = SwitchVerdict.Of(rates, [.. timeline.Changes.Select(at => (int)(at / second))]);
            var samples = rates.Select((rate, i) => new ArmSample((i + 0.5) * second.TotalSeconds, new Dictionary<string, double> { ["committed/s"] = rate })).ToList();
            samples.Add(new ArmSample(verdict.Switches, new Dictionary<string, double>
            {
                ["worst"] = verdict.MedianWorst, ["undisturbed"] = verdict.UndisturbedLow, ["failed"] = sample.Aborted + sample.InDoubt,
            }) { Panel = Whole });
            return samples;
        }
    }

    private static IEnumerable<Finding> Judge(IReadOnlyList<ExperimentPoint> points)
    {
        foreach (var point in points.Where(point => point.Panel == Whole))
        {
            var verdict = new SwitchVerdict((int)point.X, point["worst"], point["undisturbed"]);
            yield return new Finding(FormattableString.Invariant($"over {verdict.Switches} switches under full load, the median worst second around a switch ({verdict.MedianWorst:N0}/s) is no lower than the 5th percentile of seconds without one ({verdict.UndisturbedLow:N0}/s)."), verdict.Holds);
            yield return new Finding(FormattableString.Invariant($"{point.Figures["failed"].Most:N0} calls failed."), point.Figures["failed"].Most == 0);
        }
    }
}
