using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Training.Service.Retraining;

namespace Polyjuice.Training.Tests.Service.Forecasting;

/// <summary>Twenty-eight weeks of hours, as <see cref="SyntheticRates"/> says.</summary>
public sealed class ForecastTrialTests
{
    private static readonly WindowGrid s_hours = new(TimeSpan.FromHours(1));

    public static TheoryData<ulong> Seeds => [.. Enumerable.Range(1, 10).Select(seed => (ulong)seed)];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void The_forecast_errs_less_than_tomorrow_being_like_today(ulong seed)
    {
        var trial = Run(SyntheticRates.Of(seed));

        Assert.Equal(195, trial.Days);
        Assert.True(
            trial.Forecast.Mape < 0.75 * trial.Tomorrow.Mape,
            $"{trial.Forecast.Mape:0.000} against {trial.Tomorrow.Mape:0.000}");
        Assert.True(
            trial.Forecast.Rmse < trial.Tomorrow.Rmse,
            $"{trial.Forecast.Rmse:0.0000} against {trial.Tomorrow.Rmse:0.0000}");
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void A_table_is_trained_within_two_windows_of_each_shift_and_at_most_three_times_besides(ulong seed)
    {
        var rates = SyntheticRates.Of(seed);

        var trial = Run(rates);

        Assert.Equal(3, rates.Shifts.Count);
        Assert.All(trial.DelaysAfter(rates.Shifts), delay => Assert.InRange(delay ?? int.MaxValue, 1, 2));
        Assert.InRange(trial.Retrainings.Count - rates.Shifts.Count, 1, 3);
        Assert.True(trial.TomorrowRetrainings > 2 * trial.Retrainings.Count);
    }

    [Fact]
    public void Days_with_gaps_are_not_judged_and_nothing_to_judge_is_refused()
    {
        var rates = SyntheticRates.Of(1).Rates.Take(30).Select((rate, i) => new ObservedRate(i, rate)).ToList();

        Assert.Throws<ArgumentException>(() => ForecastTrial.Run(rates, s_hours, new RetrainingOptions()));
    }

    private static ForecastTrial Run(SyntheticRates rates) =>
        ForecastTrial.Run(
            [.. rates.Rates.Select((rate, i) => new ObservedRate(i, rate))], s_hours, new RetrainingOptions());
}
