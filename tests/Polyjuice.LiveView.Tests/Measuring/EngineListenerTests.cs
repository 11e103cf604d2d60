using System.Diagnostics.Metrics;
using Polyjuice.LiveView.Measuring;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Tests.Measuring;

public sealed class EngineListenerTests
{
    private readonly PolicyStore _policies = new(new SiteRegistry(), BuiltinPolicies.Get("occ"));

    [Fact]
    public void It_hears_the_engines_of_its_store_and_no_others()
    {
        using var listener = new EngineListener(_policies);
        using var own = new Meter(new MeterOptions("Polyjuice") { Scope = _policies });
        using var other = new Meter(new MeterOptions("Polyjuice")
        {
            Scope = new PolicyStore(new SiteRegistry(), BuiltinPolicies.Get("occ"))
        });
        foreach (var meter in new[] { own, other })
        {
            meter.CreateCounter<long>("polyjuice.commits").Add(2);
            meter.CreateCounter<long>("polyjuice.aborts")
                .Add(1, new KeyValuePair<string, object?>("reason", "Deadlock"));
            meter.CreateHistogram<double>("polyjuice.transaction.duration")
                .Record(0.5, new KeyValuePair<string, object?>("type", "Pay"));
            meter.CreateHistogram<int>("polyjuice.dependency.chain").Record(3);
            meter.CreateObservableGauge("polyjuice.admission.waiting", () => 4);
            meter.CreateObservableGauge("polyjuice.trace.recordings", () => 1L);
            meter.CreateObservableCounter("polyjuice.trace.attempts", () => 50L);
            meter.CreateObservableCounter("polyjuice.trace.dropped", () => 6L);
            meter.CreateObservableCounter("polyjuice.trace.size", () => 7_000L);
        }

        var (tally, observed) = listener.Take();
        var sample = tally.ToSample(1, default, 1, 1);
        Assert.Equal(
            (2, 1, 1, 3), (sample.Commits, sample.Aborts["Deadlock"], sample.Latency.Commits, sample.ChainMax));
        Assert.Equal(
            (4, 1, 50, 6, 7_000),
            (observed.Waiting, observed.Recordings, observed.Recorded, observed.Dropped, observed.Bytes));

        var (next, again) = listener.Take();
        Assert.Equal(0, next.ToSample(2, default, 1, 1).Commits);
        Assert.Equal(50, again.Recorded);
    }

    [Fact]
    public void A_table_that_all_engines_have_chosen_is_named_once_and_others_beside_it()
    {
        using var listener = new EngineListener(_policies);
        using var meter = new Meter(new MeterOptions("Polyjuice") { Scope = _policies });
        string[] chosen = [];
        meter.CreateObservableGauge(
            "polyjuice.policy.chosen",
            () => chosen.Select(table => new Measurement<int>(1, new KeyValuePair<string, object?>("table", table))));
        Assert.Null(listener.Take().Observed.Chosen);

        chosen = ["occ", "occ"];
        Assert.Equal("occ", listener.Take().Observed.Chosen);

        chosen = ["occ", "reserve", "occ", "reserve"];
        Assert.Equal("occ, reserve", listener.Take().Observed.Chosen);
    }

    [Fact]
    public void A_wait_is_counted_with_its_site_whom_it_was_for_and_how_it_ended()
    {
        using var listener = new EngineListener(_policies);
        using var meter = new Meter(new MeterOptions("Polyjuice") { Scope = _policies });
        var waits = meter.CreateHistogram<double>("polyjuice.wait.duration");
        waits.Record(0.25, new("type", "Pay"), new("site", "a"), new("target", "Look"), new("outcome", "aborted"));
        Assert.Equal([new SiteWaits("Pay", "a", "Look", 1, 1, 0.25)], listener.Take().Tally.Waits());
    }
}
