using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Publishing.Following;

namespace Polyjuice.Lab.Experiments.OverTime;

/// <summary>
/// Publishes a table that is worse than the one in force, under full load, and sees how long it stays.
/// </summary>
/// <param name="workload">What clients do.</param>
/// <param name="parameters">Its sizes, by scale.</param>
internal sealed class RollbackExperiment(
    WorkloadDefinition workload, Func<ExperimentScale, WorkloadParameters> parameters) : IExperiment
{
    private const string Seconds = "throughput over time";
    private const string Whole = "the release";
    private const double TrialSlack = 1.1;

    /// <inheritdoc/>
    public string Name => "rollback";

    /// <inheritdoc/>
    public string Description =>
        $"A bad table is published under full load of {workload.Name}, and taken back by those who follow.";

    /// <inheritdoc/>
    public ExperimentPlan Plan(ExperimentScale scale)
    {
        ArgumentNullException.ThrowIfNull(scale);

        // The one in force, and one that makes a third of it: what was chosen for experiments that compare others is
        // not that.
        IReadOnlyList<IPolicyCompiler> tables =
            scale.Chosen.Count == 2 ? scale.Chosen : [BuiltinPolicies.Get("locking"), BuiltinPolicies.Get("reserve")];
        var second = scale.Of(TimeSpan.FromSeconds(0.1), TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        var options = new PublishedPoliciesOptions
        {
            Interval = second,
            PollInterval = second,
            Baseline = 15 * second,
            Trial = 20 * second,
            Settle = 2 * second
        };
        var due = 20 * second;

        // Without delays: an interval of tenths of a second, too, then holds enough commits to be judged by.
        var plan = scale.PlanFor(workload, parameters(scale)) with
        {
            Measured = 50 * second, Warmup = 2 * second, OperationsPerInterval = null,
            Shape = new ClusterShape(2, TimeSpan.Zero, TimeSpan.Zero, null),
        };
        return new ExperimentPlan
        {
            Arms = [new ExperimentArm(Seconds, "committed", MeasureAsync)],
            Rounds = 1,
            WarmsUp = false,
            Settings = new Dictionary<string, string>(PlanSettings.Of(plan, rounds: 1))
            {
                ["tables"] = string.Join(", ", tables.Select(table => table.Name)),
                ["trial, seconds"] = options.Trial.TotalSeconds.ToString(CultureInfo.InvariantCulture),
            },
            Panels =
            [
                new(Seconds, "seconds", ChartKind.Time) { Marks = [new(due.TotalSeconds, tables[1].Name)] },
                new(Whole, "", ChartKind.Bars)
            ],
            Drawn = [new("committed/s", "committed a second"), new("in force", "seconds in force")],
            Findings = Judge,
        };

        async Task<IReadOnlyList<ArmSample>> MeasureAsync(int round, CancellationToken cancellationToken)
        {
            Timeline? timeline = null;
            IntervalSample sample;
            var published = new PublishedTables(options);
            await using (published)
            {
                sample = await new WorkloadCase(scale.Start, plan, tables[0]).RunAsync(
                    round,
                    (cluster, _) =>
                    {
                        published.Follow(cluster);
                        return timeline = new Timeline([due], _ => published.Publish(tables[1]));
                    },
                    cancellationToken);
            }

            if (cancellationToken.IsCancellationRequested || timeline!.Changes.Count == 0) return [];
            var rates = timeline.Rates(second);
            var taken = published.Changes.FirstOrDefault(entry => entry.Change.Kind == PolicyChangeKind.Taken);
            var putBack = published.Changes.FirstOrDefault(entry => entry.Change.Kind == PolicyChangeKind.PutBack);
            var isBack = taken.Change is not null && putBack.Change is not null;
            var samples = rates.Select(
                (rate, i) => new ArmSample(
                    (i + 0.5) * second.TotalSeconds, new Dictionary<string, double> { ["committed/s"] = rate }))
                .ToList();
            var changed = (int)(timeline.Changes[0] / second);
            samples.Add(new ArmSample(0, new Dictionary<string, double>
            {
                ["in force"] = isBack ? (putBack.At - taken.At).TotalSeconds : (plan.Measured - due).TotalSeconds,
                ["put back"] = isBack ? 1 : 0,
                ["trial"] = options.Trial.TotalSeconds,
                ["before"] = rates.Take(changed).Median(),
                ["meanwhile"] = rates.Skip(changed + 1)
                    .Take(isBack ? Math.Max(1, (int)((putBack.At - taken.At) / second) - 1) : int.MaxValue).Median(),
                ["failed"] = sample.Aborted + sample.InDoubt,
            }) { Panel = Whole });
            return samples;
        }
    }

    private static IEnumerable<Finding> Judge(IReadOnlyList<ExperimentPoint> points)
    {
        foreach (var point in points.Where(point => point.Panel == Whole))
        {
            // It is judged at the end of the trial's last interval, which comes a little later than it is due.
            var isBack = point["put back"] > 0 && point["in force"] <= point["trial"] * TrialSlack;
            var end = point["put back"] > 0 ? "and then taken back" : "and not taken back";
            yield return new Finding(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"a table under which {point["meanwhile"]:N0} commit a second where {point["before"]:N0} "
                    + $"did before was in force for {point["in force"]:0.0} s, {end}; "
                    + $"its trial would have ended after {point["trial"]:0.0} s."),
                isBack);
            yield return new Finding(
                FormattableString.Invariant($"{point.Figures["failed"].Most:N0} calls failed."),
                point.Figures["failed"].Most == 0);
        }
    }
}
