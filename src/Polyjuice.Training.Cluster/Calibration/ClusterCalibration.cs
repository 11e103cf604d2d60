using Polyjuice.Policies;
using Polyjuice.Training.Cluster.Calls;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Cluster.Calibration;

/// <summary>
/// Fits what replays cost to this application on these clusters: the recorded calls that the search sees are made under
/// the table in force and two built-in ones that do very different things, and a replay is to make of each what was
/// measured.
/// </summary>
/// <param name="measure">Measures.</param>
/// <param name="options">The clusters.</param>
internal sealed class ClusterCalibration(CallMeasure measure, ClusterOptions options)
{
    private const int Tables = 3;

    // Of each run.
    private const double WarmupShare = 0.2;

    // From the one that never waits to the one that always does, with a pipelined one between them.
    private static readonly string[] _different = ["occ", "locking", "ic3"];

    /// <summary>Measures, and fits.</summary>
    /// <param name="workload">The trace as a shape.</param>
    /// <param name="settings">The replay to fit.</param>
    /// <param name="parent">The table in force.</param>
    /// <param name="calls">Calls that the search sees.</param>
    /// <param name="seed">Of the replays.</param>
    /// <param name="fingerprint">See <see cref="CalibrationResult.Fingerprint"/>.</param>
    /// <param name="measured">Hears of each run: the table, and how much of all is done.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ClusterFailedException">
    /// A cluster did not start, or did not last; or nothing committed under any table.
    /// </exception>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public async Task<CalibrationResult> RunAsync(
        ReplayWorkload workload, ReplaySettings settings, PolicyDocument parent, PreparedCalls calls, ulong seed,
        ulong fingerprint, Action<string, double> measured, CancellationToken cancellationToken)
    {
        var each = options.Calibration / Tables;
        var runs = new List<MeasuredTable>();
        var reasons = new SortedDictionary<string, int>(StringComparer.Ordinal);
        PolicyDocument[] tables =
        [
            parent,
            .. _different.Where(name => name != parent.Name).Take(Tables - 1)
            .Select(static name => BuiltinPolicies.Get(name).Document),
        ];
        for (var i = 0; i < tables.Length; i++)
        {
            var sample = await measure.RunAsync(
                tables[i], calls, each * WarmupShare, each * (1 - WarmupShare), "the calibration",
                cancellationToken).ConfigureAwait(false);
            measured(tables[i].Name, (i + 1.0) / tables.Length);
            foreach (var (reason, count) in sample.Reasons) reasons[reason] = reasons.GetValueOrDefault(reason) + count;

            // A table under which nothing ends in seconds says nothing about what work costs.
            if (sample.Committed == 0) continue;
            runs.Add(new MeasuredTable(new DocumentPolicy(tables[i]), sample.CommittedPerSecond)
            {
                ProcessorMicroseconds = sample.ProcessorMicroseconds,
            });
        }

        if (runs.Count == 0)
        {
            throw new ClusterFailedException(
                $"the calibration: not one of the recorded calls has committed in the test cluster. {EndsOf(reasons)} "
                + "Grains may ask for services that the test cluster has not, or the states are not those of the "
                + "recording: say so in a trainer project, with ConfigureSilo and LoadAsync.");
        }

        var fitted = settings.HasLatencies
            ? LatencyCalibration.Fit(workload, settings, runs, seed, ReplayPart.Training).Settings
            : settings with { Costs = CostCalibration.Fit(workload, settings, runs, seed, ReplayPart.Training).Costs };
        var evaluator = new ReplayEvaluator(workload, fitted);
        return new CalibrationResult
        {
            Fingerprint = fingerprint,
            Tables = [.. runs.Select(Replayed)],
            Costs = fitted.Costs, NetworkMicroseconds = fitted.NetworkMicroseconds,
            AppendMicroseconds = fitted.AppendMicroseconds,
        };

        CalibratedTable Replayed(MeasuredTable run)
        {
            var score = evaluator.Evaluate(run.Table, ReplayPart.Training, seed);
            return new(run.Table.Name, run.CommittedPerSecond, run.ProcessorMicroseconds, score.CommittedPerSecond);
        }
    }

    private static string EndsOf(IReadOnlyDictionary<string, int> reasons) => reasons.Count == 0
        ? "None has ended in time either."
        : $"They ended by {string.Join(", ", reasons.Select(static reason => $"{reason.Key} ({reason.Value:n0})"))}.";
}
