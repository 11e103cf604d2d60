using Polyjuice.Publishing.Following;

namespace Polyjuice.Tests.Publishing.Following;

public sealed class RankTestTests
{
    [Fact]
    public void The_median_is_in_the_middle()
    {
        Assert.Equal(0, RankTest.Median([]));
        Assert.Equal(2, RankTest.Median([3, 1, 2]));
        Assert.Equal(2.5, RankTest.Median([4, 1, 3, 2]));
        Assert.Equal(double.PositiveInfinity, RankTest.Median([double.PositiveInfinity, double.PositiveInfinity]));
    }

    [Fact]
    public void A_sample_is_lower_only_if_that_is_hardly_chance()
    {
        Assert.True(RankTest.IsLower([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]));
        Assert.False(RankTest.IsLower([6, 7, 8, 9, 10], [1, 2, 3, 4, 5]));
        Assert.False(RankTest.IsLower([1, 2, 3, 9, 10], [4, 5, 6, 7, 8]));
        Assert.False(RankTest.IsLower([1, 1, 1, 1, 1], [1, 1, 1, 1, 1]));
        Assert.False(RankTest.IsLower([1, 2, 3, 4], [6, 7, 8, 9, 10, 11, 12, 13]));
    }

    [Fact]
    public void All_are_lower_only_if_there_are_enough_of_them()
    {
        // 252 ways to choose five of ten; 53,130 to choose five of twenty-five.
        Assert.False(RankTest.IsAllLower([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]));
        Assert.True(RankTest.IsAllLower([1, 2, 3, 4, 5], [.. Enumerable.Range(6, 20).Select(i => (double)i)]));
        Assert.False(RankTest.IsAllLower([1, 2, 3, 4, 6], [.. Enumerable.Range(6, 20).Select(i => (double)i)]));
    }
}
