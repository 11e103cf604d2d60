using System.Globalization;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Experiments.OverTime;

/// <summary>
/// Switches the policy under full load, and counts what is committed second
/// by second (the Polyjuice paper, §7.6.2 and fig. 10, with more switches).
/// </summary>
/// <param name="workload">What clients do.</param>
/// <param name="parameters">Its sizes, by scale.</param>
/// <param name="publishes">
/// Whether the same is also done by publishing tables for silos that follow, to compare the two.
/// </param>
internal sealed class SwitchExperiment(
    WorkloadDefinition workload, Func<ExperimentScale, WorkloadParameters> parameters,
    bool publishes = false) : IExperiment
{
    private const string Seconds = "throughput over time";
    private const string Whole = "all switches";
    private const string Published = "published";

    /// <inheritdoc/>
    public string Name => publishes ? "switch-published" : "switch";

    /// <inheritdoc/>
    public string Description =>
        $"Policy switches under full load of {workload.Name}, second by "
        + $"second{(publishes ? ", by the process and by what is published" : " (Polyjuice, fig. 10)")}.";

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
        var plan = scale.PlanFor(workload, sizes) with
        {
            Measured = period * (switches + 1), Warmup = second * 2, OperationsPerInterval = null
        };
        return new ExperimentPlan
        {
            Arms =
            [
                new ExperimentArm(Seconds, "by the process", MeasureAsync(isPublished: false)),
                .. publishes
                    ? (ExperimentArm[])[new ExperimentArm(Seconds, Published, MeasureAsync(isPublished: true))]
                    : []
            ],
            Rounds = 1,
            WarmsUp = false,
            Settings = new Dictionary<string, string>(PlanSettings.Of(plan, rounds: 1))
            {
                ["tables"] = string.Join(", ", tables.Select(table => table.Name)),
                ["seconds between switches"] = period.TotalSeconds.ToString(CultureInfo.InvariantCulture),
            },
            Panels =
            [
                new(Seconds, "seconds", ChartKind.Time)
                {
                    Marks = [.. due.Select((time, i) => new ChartMark(time.TotalSeconds, TableAt(i).Name))]
                },
                new(Whole, "switches", ChartKind.Bars),
            ],
            Drawn =
            [
                new("committed/s", "committed a second"), new("worst", "median worst second around a switch"),
                new("undisturbed", "5th percentile of the other seconds")
            ],
            Findings = Judge,
        };

        IPolicyCompiler TableAt(int change) => tables[(change + 1) % tables.Count];

        Func<int, CancellationToken, Task<IReadOnlyList<ArmSample>>> MeasureAsync(bool isPublished) =>
            async (round, cancellationToken) =>
            {
                Timeline? timeline = null;
                IntervalSample sample;

                // All of them are good and some are worse than others: which stays is not what is asked here.
                var published = isPublished
                    ? new PublishedTables(new()
                    {
                        Trial = TimeSpan.Zero, PollInterval = TimeSpan.FromMilliseconds(100)
                    })
                    : null;
                await using (published)
                {
                    sample = await new WorkloadCase(scale.Start, plan, tables[0]).RunAsync(
                        round,
                        (cluster, _) =>
                        {
                            published?.Follow(cluster);
                            return timeline = new Timeline(due, i =>
                            {
                                if (published is null) cluster.Swap(TableAt(i));
                                else published.Publish(TableAt(i));
                            });
                        },
                        cancellationToken);
                    if (published is not null)
                        await published.RequireTakenAsync(timeline!.Changes.Count, cancellationToken);
                }

                if (cancellationToken.IsCancellationRequested) return [];
                var rates = timeline!.Rates(second);
                var verdict = SwitchVerdict.Of(rates, [.. timeline.Changes.Select(at => (int)(at / second))]);
                var samples = rates.Select(
                    (rate, i) => new ArmSample(
                        (i + 0.5) * second.TotalSeconds, new Dictionary<string, double> { ["committed/s"] = rate }))
                    .ToList();
                samples.Add(new ArmSample(verdict.Switches, new Dictionary<string, double>
                {
                    ["worst"] = verdict.MedianWorst, ["undisturbed"] = verdict.UndisturbedLow,
                    ["failed"] = sample.Aborted + sample.InDoubt,
                }) { Panel = Whole });
                return samples;
            };
    }

    private static IEnumerable<Finding> Judge(IReadOnlyList<ExperimentPoint> points)
    {
        foreach (var point in points.Where(point => point.Panel == Whole))
        {
            var verdict = new SwitchVerdict((int)point.X, point["worst"], point["undisturbed"]);
            yield return new Finding(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"over {verdict.Switches} switches under full "
                    + $"load{(point.Series == Published ? ", published and followed," : ",")} the median worst second "
                    + $"around a switch ({verdict.MedianWorst:N0}/s) is no lower than the 5th percentile of seconds "
                    + $"without one ({verdict.UndisturbedLow:N0}/s)."),
                verdict.Holds);
            yield return new Finding(
                FormattableString.Invariant($"{point.Figures["failed"].Most:N0} calls failed."),
                point.Figures["failed"].Most == 0);
        }
    }
}
