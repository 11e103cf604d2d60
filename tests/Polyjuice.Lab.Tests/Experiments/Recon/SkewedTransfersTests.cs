using Polyjuice.Lab.Experiments.Recon;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Tests.Experiments.Recon;

/// <summary>What is hot changes from round to round, and is the same for all that is compared in one.</summary>
public class SkewedTransfersTests
{
    [Fact]
    public void In_each_round_another_record_is_the_hottest_one_whatever_the_skew()
    {
        var transfers = new SkewedTransfers(1_000, seed: 7);
        var hottest = Enumerable.Range(1, 6).Select(round => HottestOf(transfers, round, 1.5)).ToList();
        Assert.Equal(6, hottest.Distinct().Count());
        Assert.Equal(hottest, Enumerable.Range(1, 6).Select(round => HottestOf(transfers, round, 3)));
    }

    [Fact]
    public void The_same_seed_makes_the_same_rounds()
    {
        Assert.Equal(
            ChosenBy(new SkewedTransfers(1_000, seed: 7), 2), ChosenBy(new SkewedTransfers(1_000, seed: 7), 2));
        Assert.NotEqual(
            ChosenBy(new SkewedTransfers(1_000, seed: 7), 2), ChosenBy(new SkewedTransfers(1_000, seed: 8), 2));
    }

    private static long HottestOf(SkewedTransfers transfers, int round, double theta)
    {
        var (random, of) = (new BenchmarkRandom(1), transfers.Of(round, theta));
        return Enumerable.Range(0, 500).SelectMany(_ => of.Next(random)).GroupBy(key => key)
            .MaxBy(key => key.Count())!.Key;
    }

    private static List<long> ChosenBy(SkewedTransfers transfers, int round)
    {
        var (random, of) = (new BenchmarkRandom(1), transfers.Of(round, 0.9));
        return [.. Enumerable.Range(0, 20).SelectMany(_ => of.Next(random))];
    }
}
