using Polyjuice.Orleans.Benchmarks;

namespace Polyjuice.Orleans.Tests.Benchmarks;

public sealed class PairedComparisonTests
{
    [Fact]
    public void The_interval_is_Students_on_the_logarithms_of_the_ratios()
    {
        // Logarithms of 0, -0.02 and -0.04: mean -0.02, deviation 0.02, and t is 4.303 with two degrees of freedom.
        var comparison = PairedComparison.Of([(100, 100), (200, 200 * Math.Exp(-0.02)), (50, 50 * Math.Exp(-0.04))]);

        Assert.Equal(3, comparison.Pairs);
        Assert.Equal(Math.Exp(-0.02), comparison.Mean, 9);
        Assert.Equal(Math.Exp(-0.02 - (4.303 * 0.02 / Math.Sqrt(3))), comparison.Low, 9);
        Assert.Equal(Math.Exp(-0.02 + (4.303 * 0.02 / Math.Sqrt(3))), comparison.High, 9);
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
}
