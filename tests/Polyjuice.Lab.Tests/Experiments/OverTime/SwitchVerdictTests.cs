using Polyjuice.Lab.Experiments.OverTime;

namespace Polyjuice.Lab.Tests.Experiments.OverTime;

public class SwitchVerdictTests
{
    [Fact]
    public void A_dip_in_most_switches_fails_it()
    {
        var verdict = SwitchVerdict.Of([100, 101, 40, 99, 100, 100, 50, 98], [2, 6]);
        Assert.Equal(new SwitchVerdict(2, 45, 100), verdict);
        Assert.False(verdict.Holds);
    }

    [Fact]
    public void The_second_after_a_switch_counts_as_around_it()
    {
        Assert.Equal(60, SwitchVerdict.Of([100, 100, 100, 60, 100], [2]).MedianWorst);
    }

    [Fact]
    public void Seconds_around_a_switch_that_are_as_bad_as_others_hold()
    {
        double[] rates = [.. Enumerable.Range(0, 60).Select(i => 100.0 + (i % 7))];
        Assert.True(SwitchVerdict.Of(rates, [.. Enumerable.Range(1, 19).Select(i => 3 * i)]).Holds);
    }

    [Fact]
    public void The_5th_percentile_of_forty_seconds_is_the_second_lowest()
    {
        double[] rates = [.. Enumerable.Range(0, 40).Select(i => (double)i), 50, 50];
        Assert.Equal(1, SwitchVerdict.Of(rates, [40]).UndisturbedLow);
    }

    [Fact]
    public void Nothing_to_compare_is_refused()
    {
        Assert.Throws<ArgumentException>(() => SwitchVerdict.Of([1, 2], [0]));
        Assert.Throws<ArgumentException>(() => SwitchVerdict.Of([1, 2], []));
    }
}
