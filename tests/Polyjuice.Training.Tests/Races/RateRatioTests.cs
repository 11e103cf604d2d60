using Polyjuice.Training.Races;

namespace Polyjuice.Training.Tests.Races;

public sealed class RateRatioTests
{
    [Fact]
    public void What_both_have_in_common_does_not_count()
    {
        var ratio = RateRatio.Of([110, 55, 220], [100, 50, 200], 0.95);
        Assert.Equal(1.1, ratio.Ratio, 9);
        Assert.Equal(1.1, ratio.Low, 9);
        Assert.Equal(1.1, ratio.High, 9);
    }

    // Logarithms 0, ln 2, 0, ln 2: mean (ln 2)/2, standard error
    // (ln 2)/√12; t with 3 degrees of freedom, 0.975: 3.182446.
    [Fact]
    public void The_interval_is_Students_on_the_logarithms()
    {
        var ratio = RateRatio.Of([1, 2, 3, 8], [1, 1, 3, 4], 0.95);
        Assert.Equal(Math.Sqrt(2), ratio.Ratio, 9);
        var half = 3.182446305 * Math.Log(2) / Math.Sqrt(12);
        Assert.Equal(Math.Sqrt(2) * Math.Exp(-half), ratio.Low, 6);
        Assert.Equal(Math.Sqrt(2) * Math.Exp(half), ratio.High, 6);
    }

    [Fact]
    public void One_round_says_nothing_of_chance() =>
        Assert.Equal(new RateRatio(2, 0, double.PositiveInfinity), RateRatio.Of([2], [1], 0.95));

    [Fact]
    public void A_round_in_which_nothing_commits_counts_as_very_little()
    {
        Assert.InRange(RateRatio.Of([0, 0], [1_000, 1_000], 0.95).Ratio, 0, 0.001);
        Assert.Equal(1, RateRatio.Of([0], [0], 0.95).Ratio);
    }

    [Fact]
    public void Rounds_are_compared_with_their_own()
    {
        Assert.Throws<ArgumentException>(() => RateRatio.Of([1, 2], [1], 0.95));
        Assert.Throws<ArgumentException>(() => RateRatio.Of([], [], 0.95));
    }
}
