using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Training.Service.Retraining;

namespace Polyjuice.Training.Tests.Service.Forecasting;

public sealed class LevelForecastTests
{
    private static readonly WindowGrid s_grid = new(TimeSpan.FromSeconds(20));

    private readonly LevelForecast _forecast = new(s_grid);
    private long _window;

    [Fact]
    public void The_rate_is_expected_to_stay_what_it_is()
    {
        Observe(0.2, 0.21, 0.19, 0.2, 0.2);
        Assert.InRange(_forecast.Peak().Rate, 0.195, 0.205);
        Assert.InRange(_forecast.Peak().Error, 0.01, 0.05);
    }

    [Theory]
    [InlineData(0.4)]
    [InlineData(0.15)]
    public void A_shift_is_found_in_its_second_window(double to)
    {
        Observe(0.25, 0.26, 0.24, 0.25);
        Assert.Equal([false, true], Observe(to, to));
        Assert.Equal(to, _forecast.Peak().Rate, 6);
        Assert.Equal(_window - 2, _forecast.LevelSince);
    }

    [Fact]
    public void The_window_in_whose_middle_it_was_belongs_to_neither()
    {
        Observe(0.25, 0.26, 0.24, 0.25);
        Assert.Equal([false, true], Observe(0.3, 0.4));
        Assert.Equal(0.4, _forecast.Peak().Rate, 6);
        Assert.Equal(_window - 1, _forecast.LevelSince);
    }

    [Fact]
    public void One_window_far_off_is_no_shift()
    {
        Observe(0.25, 0.26, 0.24, 0.25);
        Assert.Equal([false, false, false, false], Observe(0.9, 0.25, 0.25, 0.25));
        Assert.InRange(_forecast.Peak().Rate, 0.24, 0.28);
    }

    [Fact]
    public void Another_table_is_due_two_windows_after_a_shift_and_none_without()
    {
        var rule = new RetrainingRule(RetrainingOptions.For(ForecastKind.Now, s_grid));
        RetrainingVerdict[] first = [.. Decide(null, 0.25, 0.25, 0.25)];
        Assert.Equal([RetrainingVerdict.TooEarly, RetrainingVerdict.TooEarly, RetrainingVerdict.First], first);

        Assert.All(Decide(0.25, 0.26, 0.24, 0.27, 0.25), verdict => Assert.Equal(RetrainingVerdict.Keep, verdict));
        Assert.Equal(RetrainingVerdict.Shifted, Decide(0.25, 0.5, 0.5).Last());

        IEnumerable<RetrainingVerdict> Decide(double? trainedFor, params double[] rates)
        {
            foreach (var rate in rates) yield return rule.Decide(_forecast, Observe(rate)[0], trainedFor).Verdict;
        }
    }

    [Fact]
    public void One_that_has_seen_what_is_kept_forecasts_the_same()
    {
        double[] rates = [.. Enumerable.Range(0, 200).Select(i => 0.3 + (0.02 * Math.Sin(i)))];
        Observe(rates);
        var other = new LevelForecast(s_grid);
        for (var i = rates.Length - (int)_forecast.WindowsKept; i < rates.Length; i++) other.Observe(
            new ObservedRate(i, rates[i]));

        Assert.Equal(_forecast.Peak().Rate, other.Peak().Rate, 3);
    }

    [Fact]
    public void What_is_not_later_or_no_share_is_refused()
    {
        Assert.Throws<InvalidOperationException>(() => _forecast.Peak());
        Observe(0.2);
        Assert.Throws<ArgumentException>(() => _forecast.Observe(new ObservedRate(0, 0.2)));
        Assert.Throws<ArgumentException>(() => _forecast.Observe(new ObservedRate(5, 1.2)));
    }

    private List<bool> Observe(params double[] rates) =>
        [.. rates.Select(rate => _forecast.Observe(new ObservedRate(_window++, rate)))];
}
