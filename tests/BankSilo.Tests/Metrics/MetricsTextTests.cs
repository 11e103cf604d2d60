using System.Diagnostics.Metrics;
using BankSilo.Metrics;

namespace BankSilo.Tests.Metrics;

public sealed class MetricsTextTests : IDisposable
{
    private const string Name = "BankSilo.Tests";

    // Not the engine's meter: silos of other tests listen to that, in this process, and would have no series left for what they measure themselves.
    private readonly Meter _meter = new(Name);
    private readonly MetricsText _text = new(Name);

    public void Dispose()
    {
        _meter.Dispose();
        _text.Dispose();
    }

    [Fact]
    public void A_counter_adds_up_by_its_tags_in_whatever_order_they_come()
    {
        var counter = _meter.CreateCounter<long>("test.aborts", "{attempt}", "Attempts \"aborted\".");
        counter.Add(2, new("reason", "a\\b"), new("type", "T"));
        counter.Add(3, new("type", "T"), new KeyValuePair<string, object?>("reason", "a\\b"));
        AssertHas("# HELP test_aborts_total Attempts \\\"aborted\\\".", "# TYPE test_aborts_total counter", "test_aborts_total{reason=\"a\\\\b\",type=\"T\"} 5");
    }

    [Fact]
    public void A_histogram_has_cumulative_buckets()
    {
        var histogram = _meter.CreateHistogram<double>("test.wait.duration", "s", "Waits.");
        foreach (var seconds in new[] { 0.0001, 0.02, 0.02, 100 }) histogram.Record(seconds, new KeyValuePair<string, object?>("site", "S"));
        AssertHas(
            "# TYPE test_wait_duration_seconds histogram",
            "test_wait_duration_seconds_bucket{site=\"S\",le=\"0.0001\"} 1",
            "test_wait_duration_seconds_bucket{site=\"S\",le=\"0.01\"} 1",
            "test_wait_duration_seconds_bucket{site=\"S\",le=\"0.025\"} 3",
            "test_wait_duration_seconds_bucket{site=\"S\",le=\"10\"} 3",
            "test_wait_duration_seconds_bucket{site=\"S\",le=\"+Inf\"} 4",
            "test_wait_duration_seconds_sum{site=\"S\"} 100.0401",
            "test_wait_duration_seconds_count{site=\"S\"} 4");
    }

    [Fact]
    public void What_is_observed_is_told_as_it_is_and_not_added_up()
    {
        var total = 7L;
        _meter.CreateObservableCounter("test.total", () => total, "By");
        _meter.CreateObservableGauge("test.level", () => 0.5);
        AssertHas("test_total_bytes_total 7", "# TYPE test_level gauge", "test_level 0.5");
        total = 9;
        AssertHas("test_total_bytes_total 9");
    }

    [Fact]
    public void Series_are_bounded_and_what_is_left_out_is_counted()
    {
        var counter = _meter.CreateCounter<long>("test.many");
        for (var i = 0; i < 6_000; i++) counter.Add(1, new KeyValuePair<string, object?>("key", i));
        var lines = _text.Write().Split('\n');
        Assert.InRange(lines.Count(line => line.StartsWith("test_many_total{", StringComparison.Ordinal)), 4_000, 5_000);
        Assert.True(long.Parse(lines.Single(line => line.StartsWith("bank_metrics_series_dropped_total ", StringComparison.Ordinal)).Split(' ')[1]) >= 1_000);
    }

    [Fact]
    public void An_instrument_that_cannot_be_observed_is_counted_and_the_others_are_told()
    {
        _meter.CreateObservableGauge("test.broken", double () => throw new InvalidOperationException("Not now."));
        _meter.CreateObservableGauge("test.whole", () => 3);
        AssertHas("test_whole 3", "bank_metrics_failures_total 1");
        AssertHas("test_whole 3", "bank_metrics_failures_total 2");
    }

    [Fact]
    public void The_engines_meter_is_told_of_by_default()
    {
        using var meter = new Meter("Polyjuice");
        using var text = new MetricsText();
        meter.CreateCounter<long>("test.engines").Add(1);
        Assert.Contains("test_engines_total 1", text.Write().Split('\n'));
    }

    [Fact]
    public void Other_meters_are_left_out()
    {
        using var meter = new Meter("Somebody");
        meter.CreateCounter<long>("test.foreign").Add(1);
        Assert.DoesNotContain("test_foreign", _text.Write(), StringComparison.Ordinal);
    }

    private void AssertHas(params string[] expected)
    {
        var lines = _text.Write().Split('\n');
        Assert.All(expected, line => Assert.Contains(line, lines));
    }
}
