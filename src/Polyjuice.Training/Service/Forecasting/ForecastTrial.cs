using Polyjuice.Training.Service.Retraining;

namespace Polyjuice.Training.Service.Forecasting;

/// <summary>
/// What the forecast and the rule would have done on a series of rates, beside the paper's way: tomorrow's peak is
/// today's, and a table is trained anew whenever that differs by the threshold from the one it was trained for.
/// </summary>
/// <param name="Days">Days whose peak was forecast: from the second on, those with all their windows.</param>
/// <param name="Forecast">The errors of this forecast.</param>
/// <param name="Tomorrow">The errors of tomorrow = today.</param>
/// <param name="Retrainings">
/// After which windows of the series a table was trained, counted
/// from 0, the first included: the number of windows seen by then.
/// </param>
/// <param name="TomorrowRetrainings">How often the paper's way trains.</param>
internal sealed record ForecastTrial(
    int Days, PeakErrors Forecast, PeakErrors Tomorrow, IReadOnlyList<int> Retrainings, int TomorrowRetrainings)
{
    /// <summary>Runs one.</summary>
    /// <param name="rates">In order.</param>
    /// <param name="grid">Their windows.</param>
    /// <param name="options">The rule's.</param>
    /// <exception cref="ArgumentException">There are less than two days.</exception>
    public static ForecastTrial Run(IReadOnlyList<ObservedRate> rates, WindowGrid grid, RetrainingOptions options)
    {
        ArgumentNullException.ThrowIfNull(rates);
        ArgumentNullException.ThrowIfNull(grid);
        ArgumentNullException.ThrowIfNull(options);
        var days = rates.GroupBy(rate => rate.Window / grid.PerDay).Where(day => day.Count() == grid.PerDay)
            .ToDictionary(day => day.Key, day => day.Max(rate => rate.Rate));
        var (forecast, rule) = (new ConflictForecast(grid), new RetrainingRule(options));
        var (own, tomorrow, retrainings) = (new PeakErrors(), new PeakErrors(), new List<int>());
        double? trainedFor = null;
        double? trainedForToday = null;
        var (compared, tomorrowRetrainings) = (0, 0);
        for (var i = 0; i < rates.Count; i++)
        {
            var day = rates[i].Window / grid.PerDay;
            if (rates[i].Window % grid.PerDay == 0 && days.TryGetValue(day - 1, out var today)
                && days.TryGetValue(day, out var peak))
            {
                compared++;
                own = own.With(forecast.Peak(grid.PerDay).Rate, peak);
                tomorrow = tomorrow.With(today, peak);
                if (trainedForToday is not { } rate || Math.Abs((today / rate) - 1) >= options.Threshold)
                    (trainedForToday, tomorrowRetrainings) = (today, tomorrowRetrainings + 1);
            }

            var decision = rule.Decide(forecast, forecast.Observe(rates[i]), trainedFor);
            if (!decision.Retrains) continue;
            trainedFor = decision.Forecast.Rate;
            rule.Trained();
            retrainings.Add(i + 1);
        }

        return compared > 0
            ? new ForecastTrial(compared, own, tomorrow, retrainings, tomorrowRetrainings)
            : throw new ArgumentException(
                "A forecast is judged by at least two days without gaps, one after the other.", nameof(rates));
    }

    /// <summary>
    /// After how many windows at the new level a shift was answered by a training;
    /// <see langword="null"/> if it was not before the next shift, or the end.
    /// </summary>
    /// <param name="shifts">The first windows at another level, in order.</param>
    public IReadOnlyList<int?> DelaysAfter(IReadOnlyList<int> shifts)
    {
        ArgumentNullException.ThrowIfNull(shifts);
        return [
            .. shifts.Select(
                (shift, i) => Retrainings.Where(
                    after => after > shift && (i + 1 == shifts.Count || after <= shifts[i + 1]))
                    .Select(after => (int?)(after - shift)).FirstOrDefault())
        ];
    }
}

/// <summary>Errors of forecasts of peaks.</summary>
/// <param name="Count">How many.</param>
/// <param name="Relative">The sum of their sizes as shares of the peaks.</param>
/// <param name="Squares">The sum of their squares.</param>
internal readonly record struct PeakErrors(int Count, double Relative, double Squares)
{
    /// <summary>The mean error as a share of the peak.</summary>
    public double Mape => Relative / Count;

    /// <summary>The root of the mean square, a rate.</summary>
    public double Rmse => Math.Sqrt(Squares / Count);

    internal PeakErrors With(double expected, double peak) =>
        new(
            Count + 1,
            Relative + (Math.Abs(expected - peak) / Math.Max(peak, double.Epsilon)),
            Squares + ((expected - peak) * (expected - peak)));
}
