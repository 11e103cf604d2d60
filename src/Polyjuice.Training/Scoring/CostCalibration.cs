using Polyjuice.Policies;
using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Scoring;

/// <summary>A real run under a table.</summary>
/// <param name="Table">Which.</param>
/// <param name="CommittedPerSecond">What it came to.</param>
internal sealed record MeasuredTable(IPolicyCompiler Table, double CommittedPerSecond)
{
    /// <summary>
    /// Microseconds of processor time for each committed transaction, aborted attempts included; 0 if not known.
    /// </summary>
    public double ProcessorMicroseconds { get; init; }
}

/// <summary>
/// Fits the costs of <see cref="ReplayCosts"/> to real runs: one factor for all, with which replays come nearest to
/// what was measured. Runs without latencies tell most, because there processors are all that is waited for.
/// </summary>
internal static class CostCalibration
{
    private const double Least = 0.05;
    private const double Most = 50;
    private const int Steps = 14;
    private static readonly double _golden = (Math.Sqrt(5) - 1) / 2;

    /// <summary>The costs that fit best.</summary>
    /// <param name="workload">What ran.</param>
    /// <param name="settings">On what; its costs are scaled.</param>
    /// <param name="measured">At least one run.</param>
    /// <param name="seed">Of the replays.</param>
    /// <param name="part">Of the trace, which is replayed.</param>
    /// <returns>
    /// The costs, and how far replays are off with them: the root of
    /// the mean square of the natural logarithms of the ratios.
    /// </returns>
    public static (ReplayCosts Costs, double Error) Fit(
        ReplayWorkload workload, ReplaySettings settings, IReadOnlyList<MeasuredTable> measured, ulong seed,
        ReplayPart part = ReplayPart.All)
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(measured);
        if (measured.Count == 0 || measured.Any(run => run.CommittedPerSecond <= 0))
            throw new ArgumentException(
                "Costs are fitted to at least one run that has committed something.", nameof(measured));

        // Golden-section search (Kiefer, 1953) on the factor's logarithm: a replay is the slower the more work costs.
        var (low, high) = (Math.Log(Least), Math.Log(Most));
        var (left, right) = (high - (_golden * (high - low)), low + (_golden * (high - low)));
        var (errorLeft, errorRight) = (Error(left), Error(right));
        for (var step = 0; step < Steps; step++)
        {
            if (errorLeft < errorRight)
            {
                (high, right, errorRight) = (right, left, errorLeft);
                errorLeft = Error(left = high - (_golden * (high - low)));
            }
            else
            {
                (low, left, errorLeft) = (left, right, errorRight);
                errorRight = Error(right = low + (_golden * (high - low)));
            }
        }

        var best = errorLeft < errorRight ? left : right;
        return (settings.Costs.Scaled(Math.Exp(best)), Math.Min(errorLeft, errorRight));

        double Error(double logarithm)
        {
            var evaluator = new ReplayEvaluator(
                workload, settings with { Costs = settings.Costs.Scaled(Math.Exp(logarithm)) });
            return Math.Sqrt(measured.Average(run =>
            {
                var replayed = Math.Max(1e-9, evaluator.Evaluate(run.Table, part, seed).CommittedPerSecond);
                return Math.Pow(Math.Log(replayed / run.CommittedPerSecond), 2);
            }));
        }
    }
}
