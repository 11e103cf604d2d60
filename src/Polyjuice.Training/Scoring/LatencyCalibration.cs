using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Scoring;

/// <summary>
/// Fits a replay to a run of a cluster whose messages and appends take time. What work costs is fitted to the processor
/// time of a transaction; how much longer messages and appends are under way than they were meant to be (timers count
/// in milliseconds, processors are busy) to the throughput. Costs fitted to the throughput alone would stand for the
/// time that is waited, and make tables that wait for locks look better than they are.
/// </summary>
internal static class LatencyCalibration
{
    private const long ExtraMax = 10_000;
    private const int Steps = 12;
    private const int CostRounds = 3;

    /// <summary>In all, for each pair of costs and delays that is tried.</summary>
    private const int Replays = 2;

    /// <summary>The settings that fit one run best.</summary>
    /// <param name="workload">What ran.</param>
    /// <param name="settings">On what; a message or an append takes time.</param>
    /// <param name="measured">What was measured, with <see cref="MeasuredTable.ProcessorMicroseconds"/>.</param>
    /// <param name="seed">Of the replays.</param>
    /// <returns>
    /// The settings, and how far replays are off with them: the natural logarithm of the ratio of throughputs.
    /// </returns>
    /// <exception cref="ArgumentException">
    /// Nothing takes time, nothing was committed, or the processor time is not known.
    /// </exception>
    public static (ReplaySettings Settings, double Error) Fit(
        ReplayWorkload workload, ReplaySettings settings, MeasuredTable measured, ulong seed) =>
        Fit(workload, settings, [measured], seed);

    /// <summary>The settings that fit several runs best, each under a table of its own.</summary>
    /// <param name="workload">What ran.</param>
    /// <param name="settings">On what; a message or an append takes time.</param>
    /// <param name="measured">At least one run, with <see cref="MeasuredTable.ProcessorMicroseconds"/>.</param>
    /// <param name="seed">Of the replays.</param>
    /// <param name="part">Of the trace, which is replayed.</param>
    /// <returns>
    /// The settings, and how far replays are off with them in the mean: of the natural logarithms of the ratios of
    /// throughputs.
    /// </returns>
    /// <exception cref="ArgumentException">As for one.</exception>
    public static (ReplaySettings Settings, double Error) Fit(
        ReplayWorkload workload, ReplaySettings settings, IReadOnlyList<MeasuredTable> measured, ulong seed,
        ReplayPart part = ReplayPart.All)
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(measured);
        if (!settings.HasLatencies)
            throw new ArgumentException(
                "Where nothing takes time, costs are fitted to the throughput.", nameof(settings));
        if (measured.Count == 0
            || measured.Any(static run => run.CommittedPerSecond <= 0 || run.ProcessorMicroseconds <= 0))
        {
            throw new ArgumentException(
                "A replay is fitted to a run that has committed something in some processor time.", nameof(measured));
        }

        var fitted = settings;
        for (var i = 0; i < CostRounds; i++)
        {
            fitted = fitted with { Costs = CostsOf(fitted) };
            fitted = Later(fitted, ExtraOf(fitted));
        }

        return (fitted, Off(fitted));

        // How much there is to do depends little on what it costs, but it does. The geometric mean: a table that wastes
        // much work must not outweigh the others.
        ReplayCosts CostsOf(ReplaySettings with) => with.Costs.Scaled(Math.Exp(OfAll(with, (run, scores) => Math.Log(
            run.ProcessorMicroseconds / Math.Max(
                1e-9, scores.Average(score => score.Work.MicrosecondsAt(with.Costs)))))));

        // A replay is the slower the longer all is under way: bisection.
        long ExtraOf(ReplaySettings with)
        {
            var (low, high) = (0L, ExtraMax);
            if (Off(Later(with, low)) <= 0) return low;
            for (var step = 0; step < Steps; step++)
            {
                var middle = (low + high) / 2;
                if (Off(Later(with, middle)) > 0) low = middle;
                else high = middle;
            }

            return (low + high) / 2;
        }

        ReplaySettings Later(ReplaySettings with, long extra) => with with
        {
            NetworkMicroseconds = settings.NetworkMicroseconds == 0 ? 0 : settings.NetworkMicroseconds + extra,
            AppendMicroseconds = settings.AppendMicroseconds == 0 ? 0 : settings.AppendMicroseconds + extra,
        };

        double Off(ReplaySettings with) => OfAll(with, static (run, scores) => Math.Log(
            Math.Max(1e-9, scores.Average(static score => score.CommittedPerSecond)) / run.CommittedPerSecond));

        double OfAll(ReplaySettings with, Func<MeasuredTable, ReplayScore[], double> of)
        {
            var evaluator = new ReplayEvaluator(workload, with);
            var each = Math.Max(1, Replays / measured.Count);
            var values = new double[measured.Count];
            InParallel.For(values.Length, Environment.ProcessorCount, i =>
            {
                var scores = Enumerable.Range(0, each)
                    .Select(one => evaluator.Evaluate(measured[i].Table, part, seed + (ulong)one));
                values[i] = of(measured[i], [.. scores]);
            });
            return values.Average();
        }
    }
}
