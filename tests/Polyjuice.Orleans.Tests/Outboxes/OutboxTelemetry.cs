using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using Polyjuice.Orleans.Outboxes;

namespace Polyjuice.Orleans.Tests.Outboxes;

/// <summary>What the instruments of outboxes tell.</summary>
internal sealed class OutboxTelemetry : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly List<(Instrument Instrument, string? Sender)> _counted = [];

    public OutboxTelemetry()
    {
        _listener.InstrumentPublished = (instrument, own) =>
        {
            if (!instrument.Name.StartsWith("polyjuice.outbox.", StringComparison.Ordinal)) return;
            own.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>((instrument, _, tags, _) =>
        {
            var sender = tags.Length > 0 ? tags[0].Value as string : null;
            lock (_counted) _counted.Add((instrument, sender));
        });
        _listener.Start();
    }

    /// <summary>What a gauge of a time tells on each silo of a cluster.</summary>
    public static List<double> Read(InProcessTestCluster cluster, string name)
    {
        var meters = cluster.Silos
            .Select(silo => silo.ServiceProvider.GetRequiredService<OutboxMetrics>().Meter).ToHashSet();
        var values = new List<double>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, own) =>
            {
                if (instrument.Name != name || !meters.Contains(instrument.Meter)) return;
                own.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<double>((_, value, _, _) => values.Add(value));
        listener.Start();
        listener.RecordObservableInstruments();
        return values;
    }

    /// <summary>The counters of one that have told of a sender.</summary>
    public IEnumerable<(string Name, string Sender)> SendersOf(OutboxMetrics metrics)
    {
        lock (_counted)
        {
            return
            [
                .. _counted.Where(told => told.Instrument.Meter == metrics.Meter)
                    .Select(told => (told.Instrument.Name, told.Sender!)).Order(),
            ];
        }
    }

    public void Dispose() => _listener.Dispose();
}
