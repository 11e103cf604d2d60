using Polyjuice.Orleans.Benchmarks;

namespace Polyjuice.Orleans.Tests.Benchmarks;

public sealed class PairedComparisonTests
{
    [Fact]
    public void Single_pairs_that_are_far_off_do_not_count()
    {
        var comparison = PairedComparison.Of([.. Enumerable.Repeat((100.0, 98.0), 40), (100, 10), (100, 900)]);

        Assert.Equal(new PairedComparison(42, 0.98, 0.98, 0.98), comparison);
    }

    [Fact]
    public void The_interval_is_around_the_median_and_gets_narrower_with_more_pairs()
    {
        var few = PairedComparison.Of(Spread(20));
        var many = PairedComparison.Of(Spread(2_000));

        Assert.Equal(1, few.Median, 9);
        Assert.Equal(1, many.Median, 9);
        Assert.InRange(few.Low, 0.9, 0.999);
        Assert.InRange(few.High, 1.001, 1.1);
        Assert.True(many.Low < 1 && many.High > 1 && many.High - many.Low < (few.High - few.Low) / 5, $"{few} {many}");

        // Ratios from 0.9 to 1.1, evenly.
        static (double, double)[] Spread(int pairs) => [.. Enumerable.Range(0, pairs).Select(i => (50.0, 50 * (0.9 + (0.2 * i / (pairs - 1)))))];
    }

    [Fact]
    public void One_pair_says_nothing() => Assert.Throws<ArgumentOutOfRangeException>(() => PairedComparison.Of([(1, 1)]));

    [Theory]
    [InlineData("orleans")]
    [InlineData("orleans:100")]
    [InlineData("occ")]
    [InlineData("occ@rows")]
    [InlineData("plain-beside")]
    public void An_arm_is_written_as_it_is_read(string name) => Assert.Equal(name, Arm.Parse(name).Name);

    [Theory]
    [InlineData("plain", null, false, false)]
    [InlineData("plain-incoming", null, true, false)]
    [InlineData("plain-outgoing", null, false, true)]
    [InlineData("plain-both", null, true, true)]
    [InlineData("plain-beside", "occ", false, false)]
    public void Plain_arms_differ_in_what_silos_have_registered(string name, string? policy, bool hasIncomingFilter, bool hasOutgoingFilter)
    {
        var arm = Arm.Parse(name);

        Assert.True(arm.IsPlain);
        Assert.Equal((policy, hasIncomingFilter, hasOutgoingFilter), (arm.Policy, arm.HasIncomingFilter, arm.HasOutgoingFilter));
    }
}
