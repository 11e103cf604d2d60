using Polyjuice.Training.Service.Forecasting;

namespace Polyjuice.Training.Service.Retraining;

/// <summary>
/// Decides when a table is trained anew: the paper's rule (Polyjuice, §5.3 and §7.6) defers it until the predicted peak
/// differs from the one that the table in force was trained for by a threshold. That the difference is there, and not
/// the forecast's error, is asked for too: it must be twice the standard error, and either follow a shift of level or
/// stay for some windows. Not thread-safe.
/// </summary>
/// <param name="options">Its bounds.</param>
internal sealed class RetrainingRule(RetrainingOptions options)
{
    private const double StandardErrors = 2;

    /// <summary>
    /// For how many windows the forecast has been beyond the threshold. May be set, by who goes on where it has been.
    /// </summary>
    public int Beyond { get; set; }

    /// <summary>
    /// Whether the level has shifted since the forecast was within the threshold. May be set likewise.
    /// </summary>
    public bool HasShifted { get; set; }

    /// <summary>Decides after a window.</summary>
    /// <param name="forecast">Which has seen it.</param>
    /// <param name="hasShifted">Whether it has found a shift there.</param>
    /// <param name="trainedFor">
    /// The peak that the table in force was trained for; <see langword="null"/> for none.
    /// </param>
    public RetrainingDecision Decide(IPeakForecast forecast, bool hasShifted, double? trainedFor)
    {
        ArgumentNullException.ThrowIfNull(forecast);
        var peak = forecast.Peak();
        HasShifted |= hasShifted;
        var verdict = trainedFor is { } rate
            ? VerdictOf(peak, rate)
            : forecast.Seen < options.FirstAfterWindows ? RetrainingVerdict.TooEarly : RetrainingVerdict.First;
        if (verdict == RetrainingVerdict.Keep) Trained();
        return new RetrainingDecision(verdict, forecast.Last, peak, trainedFor);
    }

    /// <summary>
    /// A table was trained for what is forecast, and what was seen before
    /// counts no more. Until then a training that is due stays due.
    /// </summary>
    public void Trained() => (Beyond, HasShifted) = (0, false);

    private RetrainingVerdict VerdictOf(PeakForecast peak, double trainedFor)
    {
        var (expected, former) =
            (Math.Max(peak.Rate, options.NegligibleRate), Math.Max(trainedFor, options.NegligibleRate));
        if (Math.Abs((expected / former) - 1) < options.Threshold) return RetrainingVerdict.Keep;
        if (Math.Abs(Math.Log(expected / former)) < StandardErrors * peak.Error)
        {
            Beyond = 0;
            return RetrainingVerdict.Uncertain;
        }

        Beyond++;
        if (HasShifted) return RetrainingVerdict.Shifted;
        return Beyond >= options.ConfirmingWindows ? RetrainingVerdict.Changed : RetrainingVerdict.Confirming;
    }
}
