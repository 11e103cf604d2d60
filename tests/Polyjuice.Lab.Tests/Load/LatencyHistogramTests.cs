using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Tests.Load;

public class LatencyHistogramTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(50)]
    [InlineData(95)]
    [InlineData(99)]
    [InlineData(99.9)]
    public void Percentiles_are_within_one_percent_of_the_exact_ones(double percentile)
    {
        var random = new BenchmarkRandom(11);
        var histogram = new LatencyHistogram();
        var durations = new List<TimeSpan>();
        for (var i = 0; i < 50_000; i++)
        {
            // From a microsecond to minutes.
            var duration = TimeSpan.FromTicks((long)Math.Exp(random.NextDouble() * 20) + 10);
            durations.Add(duration);
            histogram.Record(duration);
        }

        durations.Sort();
        var exact = durations[(int)Math.Ceiling(durations.Count * percentile / 100) - 1];
        Assert.InRange(histogram.Percentile(percentile) / exact, 0.99, 1.01);
    }

    [Fact]
    public void Merging_equals_recording_in_one()
    {
        var (one, two, both) = (new LatencyHistogram(), new LatencyHistogram(), new LatencyHistogram());
        var random = new BenchmarkRandom(3);
        for (var i = 0; i < 1_000; i++)
        {
            var duration = TimeSpan.FromMicroseconds(random.Next(100_000));
            (i % 2 == 0 ? one : two).Record(duration);
            both.Record(duration);
        }

        one.Add(two);
        Assert.Equal(both.Count, one.Count);
        Assert.Equal(both.Max, one.Max);
        foreach (var percentile in new[] { 0.0, 25, 50, 75, 99, 100 })
            Assert.Equal(both.Percentile(percentile), one.Percentile(percentile));
    }

    [Fact]
    public void What_counts_several_times_is_as_good_as_recorded_so_often()
    {
        var (once, often) = (new LatencyHistogram(), new LatencyHistogram());
        once.Record(TimeSpan.FromMicroseconds(10), times: 98);
        once.Record(TimeSpan.FromMicroseconds(90), times: 2);
        for (var i = 0; i < 98; i++) often.Record(TimeSpan.FromMicroseconds(10));
        for (var i = 0; i < 2; i++) often.Record(TimeSpan.FromMicroseconds(90));
        Assert.Equal(often.Count, once.Count);
        Assert.Equal(
            [often.Percentile(50), often.Percentile(98), often.Percentile(99)],
            [once.Percentile(50), once.Percentile(98), once.Percentile(99)]);
        Assert.Throws<ArgumentOutOfRangeException>(() => once.Record(TimeSpan.Zero, times: 0));
    }

    [Fact]
    public void The_longest_duration_is_exact_and_bounds_all_percentiles()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(TimeSpan.FromTicks(1_234_567));
        histogram.Record(TimeSpan.FromDays(365));
        Assert.Equal(TimeSpan.FromDays(365), histogram.Max);
        Assert.True(histogram.Percentile(100) <= histogram.Max);
    }

    [Fact]
    public void Negative_and_zero_durations_count_as_zero()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(TimeSpan.FromSeconds(-1));
        histogram.Record(TimeSpan.Zero);
        Assert.Equal(2, histogram.Count);
        Assert.Equal(TimeSpan.Zero, histogram.Percentile(100));
    }

    [Fact]
    public void An_empty_histogram_answers_zero()
    {
        Assert.Equal(TimeSpan.Zero, new LatencyHistogram().Percentile(99));
        Assert.Throws<ArgumentOutOfRangeException>(() => new LatencyHistogram().Percentile(101));
    }
}
