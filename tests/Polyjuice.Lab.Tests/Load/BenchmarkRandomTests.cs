using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Tests.Load;

public class BenchmarkRandomTests
{
    [Fact]
    public void It_is_SplitMix64()
    {
        // First outputs for seed 1234567, from the algorithm's reference implementation.
        var random = new BenchmarkRandom(1234567);
        Assert.Equal(6457827717110365317UL, random.Next());
        Assert.Equal(3203168211198807973UL, random.Next());
    }

    [Fact]
    public void Bounded_numbers_stay_in_bounds_and_reach_them()
    {
        var random = new BenchmarkRandom(1);
        var seen = Enumerable.Range(0, 1_000).Select(_ => random.Next(6)).ToHashSet();
        Assert.Equal([0, 1, 2, 3, 4, 5], seen.Order());
    }

    [Fact]
    public void Waiting_times_have_the_mean_they_should()
    {
        var random = new BenchmarkRandom(9);
        Assert.InRange(Enumerable.Range(0, 100_000).Average(_ => random.NextExponential(250)), 245, 255);
    }

    [Fact]
    public void Derived_seeds_differ()
    {
        Assert.Equal(
            10_000, Enumerable.Range(0, 10_000).Select(i => BenchmarkRandom.Derive(1, (ulong)i)).Distinct().Count());
    }
}
