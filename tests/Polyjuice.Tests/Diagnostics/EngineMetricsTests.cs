using System.Diagnostics.Metrics;
using Polyjuice.Tests.Execution;

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
        listener.InstrumentPublished = (instrument, own) =>
        {
            // Engines of other tests are theirs.
            if (instrument.Meter.Name != "Polyjuice" || Environment.CurrentManagedThreadId != thread || !instrument.IsObservable) return;
            own.EnableMeasurementEvents(instrument);
            own.RecordObservableInstruments();
        };
        listener.Start();
        observed.Clear();

        _ = new EngineRig();

        Assert.Contains("polyjuice.admission.waiting", observed);
        Assert.Contains("polyjuice.admission.limit", observed);
        Assert.Contains("polyjuice.policy.version", observed);
    }
}
