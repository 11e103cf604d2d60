using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Tests.Load;

public class ZipfianGeneratorTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(0.5)]
    [InlineData(0.99)]
    [InlineData(1)]
    [InlineData(1.5)]
    public void Draws_follow_the_exact_distribution(double theta)
    {
        const int Items = 100;
        const int Draws = 200_000;
        var zipf = new ZipfianGenerator(Items, theta, scrambleSeed: 7);
        var random = new BenchmarkRandom(42);
        var counts = new int[Items];
        for (var i = 0; i < Draws; i++) counts[zipf.Next(random)]++;

        var norm = Enumerable.Range(1, Items).Sum(rank => Math.Pow(rank, -theta));
        var chiSquare = 0.0;
        for (var rank = 0; rank < Items; rank++)
        {
            var expected = Draws * Math.Pow(rank + 1, -theta) / norm;
            var difference = counts[zipf.ItemOfRank(rank)] - expected;
            chiSquare += difference * difference / expected;
        }

        // 99.9% quantile of chi-square with 99 degrees of freedom.
        Assert.InRange(chiSquare, 0, 148.2);
    }

    [Fact]
    public void A_wrong_skew_would_be_noticed()
    {
        const int Items = 100;
        const int Draws = 200_000;
        var zipf = new ZipfianGenerator(Items, 0.95);
        var random = new BenchmarkRandom(42);
        var counts = new int[Items];
        for (var i = 0; i < Draws; i++) counts[zipf.Next(random)]++;
        var claimed = new ZipfianGenerator(Items, 0.99);
        var chiSquare = Enumerable.Range(0, Items)
            .Sum(
                r => Math.Pow(
                    counts[r] - (Draws * claimed.ProbabilityOfRank(r)),
                    2) / (Draws * claimed.ProbabilityOfRank(r)));
        Assert.True(chiSquare > 148.2);
    }

    [Fact]
    public void The_same_seed_draws_the_same_items()
    {
        var zipf = new ZipfianGenerator(10_000, 0.99, scrambleSeed: 1);
        var (a, b) = (new BenchmarkRandom(5), new BenchmarkRandom(5));
        Assert.Equal(
            Enumerable.Range(0, 1_000).Select(_ => zipf.Next(a)),
            Enumerable.Range(0, 1_000).Select(_ => zipf.Next(b)));
    }

    [Fact]
    public void Scrambling_is_a_permutation_that_moves_the_hot_items()
    {
        var zipf = new ZipfianGenerator(1_000, 0.99, scrambleSeed: 3);
        var items = Enumerable.Range(0, 1_000).Select(zipf.ItemOfRank).ToList();
        Assert.Equal(Enumerable.Range(0, 1_000), items.Order());
        Assert.NotEqual(Enumerable.Range(0, 10), items.Take(10));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(0.99)]
    [InlineData(50)]
    public void Distinct_draws_differ_even_under_extreme_skew(double theta)
    {
        var zipf = new ZipfianGenerator(8, theta, scrambleSeed: 2);
        var random = new BenchmarkRandom(1);
        var items = new long[8];
        for (var i = 0; i < 100; i++)
        {
            zipf.NextDistinct(random, items);
            Assert.Equal(8, items.Distinct().Count());
        }
    }

    [Fact]
    public void Bad_arguments_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new ZipfianGenerator(0, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => new ZipfianGenerator(10, -0.1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new ZipfianGenerator(10, double.NaN));
    }
}
