using System.Diagnostics.Metrics;
using Polyjuice.Diagnostics;
using Polyjuice.Policies;
using Polyjuice.Tests.Agents;

namespace Polyjuice.Tests.Diagnostics;

public sealed class EngineMetricsTests
{
    [Fact]
    public void Whoever_observes_an_engine_as_soon_as_it_is_announced_finds_it_whole()
    {
        var observed = new List<string>();
        using var listener = new MeterListener();
        listener.SetMeasurementEventCallback<int>((instrument, _, _, _) => observed.Add(instrument.Name));
        listener.SetMeasurementEventCallback<long>((instrument, _, _, _) => observed.Add(instrument.Name));
        var thread = Environment.CurrentManagedThreadId;
        var isStarted = false;
        listener.InstrumentPublished = (instrument, own) =>
        {
            // Engines of other tests are theirs: thousands that were there before, and those of other threads.
            if (!isStarted || instrument.Meter.Name != "Polyjuice" || Environment.CurrentManagedThreadId != thread
                || !instrument.IsObservable)
                return;
            own.EnableMeasurementEvents(instrument);
            own.RecordObservableInstruments();
        };
        listener.Start();
        isStarted = true;

        _ = new EngineRig();

        Assert.Contains("polyjuice.admission.waiting", observed);
        Assert.Contains("polyjuice.admission.limit", observed);
        Assert.Contains("polyjuice.policy.version", observed);
    }

    [Fact]
    public void An_append_is_measured_until_it_is_durable()
    {
        var rig = new EngineRig();
        var (seconds, bytes) = (new List<double>(), new List<long>());
        using var listener = EngineMeter.Listen(rig.Node, "polyjuice.log.append.duration", "polyjuice.log.append.size");
        listener.SetMeasurementEventCallback<double>((_, value, tags, _) =>
        {
            Assert.Equal("log", Assert.Single(tags.ToArray()).Value);
            seconds.Add(value);
        });
        listener.SetMeasurementEventCallback<long>((_, value, _, _) => bytes.Add(value));
        var (appends, size) = (rig.Statistics.Appends, rig.Statistics.AppendBytes);
        rig.Commit("Move", async frame => await rig.Add(frame, 0, 1, 1));

        // The simulated log takes 200 microseconds.
        Assert.NotEmpty(seconds);
        Assert.All(seconds, time => Assert.InRange(time, 200e-6, 1e-2));
        Assert.InRange(seconds.Count, 1, rig.Statistics.Appends - appends);
        Assert.Equal(seconds.Count, bytes.Count);
        Assert.InRange(bytes.Sum(), 1, rig.Statistics.AppendBytes - size);
    }

    [Fact]
    public void Histograms_of_times_advise_buckets_below_a_second()
    {
        var rig = new EngineRig();
        var least = new Dictionary<string, double>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (instrument is not Histogram<double> histogram) return;
                if (!rig.Node.Policies.IsMeasuredBy(instrument.Meter)) return;
                var buckets = histogram.Advice!.HistogramBucketBoundaries!;
                Assert.Equal(buckets.Order(), buckets);
                Assert.Equal("s", histogram.Unit);
                least.Add(histogram.Name, buckets[0]);
            },
        };
        listener.Start();

        Assert.Equal(
            ["polyjuice.log.append.duration", "polyjuice.transaction.duration", "polyjuice.wait.duration"],
            least.Keys.Order());
        Assert.All(least.Values, first => Assert.InRange(first, 1e-6, 1e-3));
    }

    [Fact]
    public void A_hosts_meter_is_the_engines_and_is_known_to_be_as_soon_as_an_instrument_is_published()
    {
        var rig = new EngineRig();
        var policies = new PolicyStore(rig.Node.Registry, BuiltinPolicies.Get("occ"));
        using var factory = new OneMeter();
        var known = new List<bool>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (ReferenceEquals(instrument.Meter, factory.Meter))
                    known.Add(policies.IsMeasuredBy(instrument.Meter));
            },
        };
        listener.Start();

        using var one = new EngineMetrics(rig.Node.Engine, policies, factory);
        using var next = new EngineMetrics(rig.Node.Engine, policies, factory);

        Assert.NotEmpty(known);
        Assert.DoesNotContain(false, known);
        Assert.False(rig.Node.Policies.IsMeasuredBy(factory.Meter));
        Assert.NotSame(policies, factory.Meter.Scope);
    }

    private sealed class OneMeter : IMeterFactory
    {
        public Meter Meter { get; } = new("Polyjuice");

        public Meter Create(MeterOptions options) => Meter;

        public void Dispose() => Meter.Dispose();
    }
}
