using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Training.Service.Retraining;

namespace Polyjuice.Training.Tests.Service.Retraining;

public sealed class RetrainingRuleTests
{
    private static readonly WindowGrid s_hours = new(TimeSpan.FromHours(1));

    private readonly ConflictForecast _forecast = new(s_hours);
    private readonly RetrainingRule _rule = new(new RetrainingOptions { ConfirmingWindows = 6, FirstAfterWindows = 4 });

    [Fact]
    public void The_first_table_is_trained_once_enough_was_seen()
    {
        Assert.Equal(RetrainingVerdict.TooEarly, See(0.3, 3, null).Verdict);
        Assert.Equal(RetrainingVerdict.First, See(0.3, 1, null).Verdict);
    }

    [Theory]
    [InlineData(0.30)]
    [InlineData(0.33)]
    [InlineData(0.27)]
    public void Within_the_threshold_of_what_the_table_was_trained_for_it_is_kept(double trainedFor) =>
        Assert.Equal(RetrainingVerdict.Keep, See(0.3, 400, trainedFor).Verdict);

    [Fact]
    public void A_change_without_a_shift_must_stay()
    {
        See(0.3, 400, 0.3);

        Assert.Equal(RetrainingVerdict.Confirming, See(0.3, 5, 0.2).Verdict);
        Assert.Equal(RetrainingVerdict.Changed, See(0.3, 1, 0.2).Verdict);
    }

    [Fact]
    public void A_change_that_goes_away_begins_anew_when_it_comes_again()
    {
        See(0.3, 400, 0.3);
        See(0.3, 5, 0.2);
        See(0.3, 1, 0.3);

        Assert.Equal(RetrainingVerdict.Confirming, See(0.3, 5, 0.2).Verdict);
    }

    [Fact]
    public void A_shift_is_acted_upon_at_once()
    {
        See(0.3, 400, 0.3);

        Assert.Equal(RetrainingVerdict.Shifted, See(0.45, 2, 0.3).Verdict);
    }

    [Fact]
    public void A_training_that_is_due_stays_due_until_it_is_done()
    {
        See(0.3, 400, 0.3);
        See(0.45, 2, 0.3);

        Assert.Equal(RetrainingVerdict.Shifted, See(0.45, 1, 0.3).Verdict);
        _rule.Trained();
        Assert.Equal(RetrainingVerdict.Confirming, See(0.45, 1, 0.3).Verdict);
    }

    [Fact]
    public void In_the_first_days_a_change_that_a_weekly_season_may_explain_is_deferred()
    {
        See(0.3, 30, 0.3);

        var decision = See(0.3, 1, 0.24);

        Assert.Equal(RetrainingVerdict.Uncertain, decision.Verdict);
        Assert.Contains("too uncertain", decision.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_hardly_anything_is_in_conflict_nothing_is_trained() =>
        Assert.Equal(RetrainingVerdict.Keep, See(0.009, 400, 0.002).Verdict);

    private RetrainingDecision See(double rate, int windows, double? trainedFor)
    {
        RetrainingDecision decision = null!;
        for (var i = 0; i < windows; i++)
            decision = _rule.Decide(
                _forecast, _forecast.Observe(new ObservedRate(_forecast.Last + 1, rate)), trainedFor);
        return decision;
    }
}
