using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Tests.Shared;
using Polyjuice.Training.Service.Forecasting;

namespace Polyjuice.Training.Tests.Service.Forecasting;

public sealed class ConflictForecastTests
{
    private static readonly WindowGrid s_hours = new(TimeSpan.FromHours(1));

    [Fact]
    public void A_rate_that_never_changes_is_forecast_as_it_is()
    {
        var forecast = After(Enumerable.Repeat(0.3, 1_000));

        Assert.Equal(0.3, forecast.Peak().Rate, 3);
        Assert.InRange(forecast.Peak().Error, 0, 0.02);
    }

    [Fact]
    public void The_first_days_are_forecast_with_a_wide_error_and_a_week_makes_it_narrow()
    {
        var rates = SyntheticRates.Of(3).Rates;

        Assert.Equal(0.25, After(rates.Take(30)).Peak().Error);
        Assert.Equal(24, After(rates.Take(30)).Peak().Windows);
        Assert.InRange(After(rates.Take(400)).Peak().Error, 0.01, 0.1);
        Assert.Equal(168, After(rates.Take(400)).Peak().Windows);
    }

    [Fact]
    public void The_coming_weeks_peak_is_known_on_its_quietest_day()
    {
        var rates = Enumerable.Range(0, 3 * 168).Select(hour => (hour / 24 % 7) == 5 ? 0.6 : 0.3).ToList();

        var forecast = After(rates);

        Assert.InRange(forecast.Peak().Rate, 0.5, 0.65);
        Assert.InRange(forecast.Peak(24).Rate, 0.25, 0.35);
    }

    [Fact]
    public void One_window_that_is_far_off_is_no_shift_and_two_are()
    {
        var forecast = After(SyntheticRates.Of(2).Rates.Take(600));
        var before = forecast.Peak().Rate;
        var next = SyntheticRates.Of(2).Rates.Skip(600).Take(3).ToList();

        Assert.False(forecast.Observe(new ObservedRate(600, next[0] * 1.6)));
        Assert.InRange(forecast.Peak().Rate / before, 0.9, 1.1);
        Assert.True(forecast.Observe(new ObservedRate(601, next[1] * 1.6)));
        Assert.InRange(forecast.Peak().Rate / before, 1.4, 1.8);
        Assert.Equal(600, forecast.LevelSince);
    }

    [Fact]
    public void Missing_windows_move_no_season()
    {
        var rates = SyntheticRates.Of(4).Rates;
        var (whole, gaps) = (new ConflictForecast(s_hours), new ConflictForecast(s_hours));
        for (var i = 0; i < 900; i++)
        {
            whole.Observe(new ObservedRate(i, rates[i]));
            if (i % 5 != 0 && (i < 500 || i > 560)) gaps.Observe(new ObservedRate(i, rates[i]));
        }

        Assert.InRange(gaps.Peak().Rate / whole.Peak().Rate, 0.9, 1.1);
    }

    [Fact]
    public void What_does_not_come_later_or_is_no_share_is_refused_and_changes_nothing()
    {
        var forecast = After([0.1, 0.2, 0.3]);
        var before = forecast.Peak();

        foreach (var wrong in new ObservedRate[]
        {
            new(2, 0.1), new(-1, 0.1), new(3, 1.1), new(3, -0.1), new(3, double.NaN)
        })
            Assert.Throws<ArgumentException>(() => { forecast.Observe(wrong); });

        Assert.Equal(before, forecast.Peak());
        Assert.Equal(3, forecast.Seen);
    }

    [Fact]
    public void Before_the_first_window_there_is_no_forecast() =>
        Assert.Throws<InvalidOperationException>(() => new ConflictForecast(s_hours).Peak());

    [Fact]
    public void Any_rates_with_any_gaps_give_the_same_finite_forecast_each_time() =>
        Prop.ForAll(ArbMap.Default.ArbFor<(byte Gap, byte Rate)[]>(), windows =>
        {
            var (one, other) = (new ConflictForecast(s_hours), new ConflictForecast(s_hours));
            var at = 0L;
            foreach (var (gap, rate) in windows)
            {
                at += 1 + gap;
                one.Observe(new ObservedRate(at, rate / 255.0));
                other.Observe(new ObservedRate(at, rate / 255.0));
                if (!double.IsFinite(one.Peak().Rate) || one.Peak().Rate <= 0 || one.Peak() != other.Peak())
                    return false;
            }

            return true;
        }).Holds();

    [Theory]
    [InlineData(5)]
    [InlineData(1_440)]
    public void Windows_of_other_lengths_have_the_same_seasons(int minutes)
    {
        var grid = new WindowGrid(TimeSpan.FromMinutes(minutes));
        var forecast = new ConflictForecast(grid);
        for (var i = 0; i < 3 * grid.PerWeek; i++)
            forecast.Observe(new ObservedRate(i, 0.3 + (0.1 * Math.Sin(2 * Math.PI * i / grid.PerWeek))));

        Assert.InRange(forecast.Peak().Rate, 0.37, 0.43);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(7)]
    [InlineData(2_880)]
    public void A_window_that_no_day_is_made_of_is_refused(int minutes) =>
        Assert.Throws<ArgumentException>(() => new WindowGrid(TimeSpan.FromMinutes(minutes)));

    private static ConflictForecast After(IEnumerable<double> rates)
    {
        var forecast = new ConflictForecast(s_hours);
        var window = 0;
        foreach (var rate in rates) forecast.Observe(new ObservedRate(window++, rate));
        return forecast;
    }
}
