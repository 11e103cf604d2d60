using Polyjuice.LiveView.Measuring;

namespace Polyjuice.LiveView.Tests.Measuring;

public sealed class LatencyBucketsTests
{
    [Fact]
    public void Quantiles_are_within_a_tenth_and_never_too_low()
    {
        var buckets = new LatencyBuckets();
        for (var i = 1; i <= 1_000; i++) buckets.Add(i / 1e3);
        Assert.InRange(buckets.Quantile(0.5), 0.5, 0.55);
        Assert.InRange(buckets.Quantile(0.99), 0.99, 1.09);
        Assert.InRange(buckets.Quantile(1), 1, 1.1);
        Assert.Equal(0.5005, buckets.Mean, 6);
    }

    [Fact]
    public void Nothing_is_zero_and_what_is_too_long_or_short_counts_at_the_ends()
    {
        var buckets = new LatencyBuckets();
        Assert.Equal((0, 0, 0), (buckets.Count, buckets.Mean, buckets.Quantile(0.5)));
        buckets.Add(0);
        buckets.Add(1e9);
        Assert.Equal(2, buckets.Count);
        Assert.InRange(buckets.Quantile(0.5), 1e-6, 1.2e-6);
        Assert.InRange(buckets.Quantile(1), 60_000, 80_000);
    }
}
