using System.Globalization;
using Polyjuice.Training.Service.Forecasting;

namespace Polyjuice.Training.Service.Retraining;

/// <summary>What was decided after a window, and why.</summary>
/// <param name="Verdict">What.</param>
/// <param name="Window">After which window.</param>
/// <param name="Forecast">The peak that is expected.</param>
/// <param name="TrainedFor">The peak that the table in force was trained for; <see langword="null"/> for none.</param>
internal sealed record RetrainingDecision(
    RetrainingVerdict Verdict, long Window, PeakForecast Forecast, double? TrainedFor)
{
    /// <summary>Whether a table is to be trained.</summary>
    public bool Retrains =>
        Verdict is RetrainingVerdict.First or RetrainingVerdict.Shifted or RetrainingVerdict.Changed;

    /// <summary>Why, in a sentence.</summary>
    public string Reason
    {
        get
        {
            var change = TrainedFor is { } rate
                ? string.Create(
                    CultureInfo.InvariantCulture,
                    $"a peak of {Forecast.Rate:0.0%} (± {Forecast.Error:0%}) is expected, and the table in force was "
                    + $"trained for {rate:0.0%}")
                : "";
            return Verdict switch
            {
                RetrainingVerdict.TooEarly => "Too few windows were seen to know a peak.",
                RetrainingVerdict.First => string.Create(
                    CultureInfo.InvariantCulture,
                    $"No table was trained yet; a peak of {Forecast.Rate:0.0%} is expected."),
                RetrainingVerdict.Shifted => $"The conflict rate has shifted: {change}.",
                RetrainingVerdict.Changed => $"The conflict rate has changed, and has stayed so: {change}.",
                RetrainingVerdict.Uncertain => $"Deferred, because the forecast is too uncertain: {change}.",
                RetrainingVerdict.Confirming => $"Deferred until it is seen whether it stays so: {change}.",
                _ => $"Deferred: {change}.",
            };
        }
    }
}

/// <summary>What a <see cref="RetrainingRule"/> says.</summary>
internal enum RetrainingVerdict
{
    /// <summary>Not enough was seen.</summary>
    TooEarly,

    /// <summary>The first table is due.</summary>
    First,

    /// <summary>The table in force is still the right one.</summary>
    Keep,

    /// <summary>The forecast is beyond the threshold, and might be so by its own error.</summary>
    Uncertain,

    /// <summary>The forecast is beyond the threshold, and has not been so for long.</summary>
    Confirming,

    /// <summary>Another table is due, because the level has shifted.</summary>
    Shifted,

    /// <summary>Another table is due, because the forecast has been beyond the threshold for long enough.</summary>
    Changed,
}
