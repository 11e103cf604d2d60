using System.Diagnostics.Metrics;
using System.Globalization;
using System.Text;

namespace BankSilo.Metrics;

/// <summary>
/// What meters measure, in Prometheus' text format (version 0.0.4): the meter <c>Polyjuice</c>, and .NET's own <c>System.Runtime</c>. Counters end in <c>_total</c>, seconds in <c>_seconds</c>; histograms have buckets.
/// Series are bounded: what comes beyond the bound is counted in <c>bank_metrics_series_dropped_total</c>. Thread-safe.
/// </summary>
internal sealed class MetricsText : IDisposable
{
    public const string ContentType = "text/plain; version=0.0.4; charset=utf-8";

    /// <summary>Series at the most; sites, reasons and types are few, and grain keys are never among them.</summary>
    private const int SeriesMax = 5_000;

    private readonly Lock _gate = new();
    private readonly SortedDictionary<string, MetricFamily> _families = new(StringComparer.Ordinal);
    private readonly MeterListener _listener;
    private int _series;
    private long _dropped;
    private long _failures;

    public MetricsText()
        : this("Polyjuice", "System.Runtime")
    {
    }

    /// <summary>Of other meters.</summary>
    internal MetricsText(params string[] meters)
    {
        _listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (meters.Contains(instrument.Meter.Name)) listener.EnableMeasurementEvents(instrument);
            },
        };
        _listener.SetMeasurementEventCallback<byte>((instrument, value, tags, _) => Record(instrument, value, tags));
        _listener.SetMeasurementEventCallback<short>((instrument, value, tags, _) => Record(instrument, value, tags));
        _listener.SetMeasurementEventCallback<int>((instrument, value, tags, _) => Record(instrument, value, tags));
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Record(instrument, value, tags));
        _listener.SetMeasurementEventCallback<float>((instrument, value, tags, _) => Record(instrument, value, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Record(instrument, value, tags));
        _listener.SetMeasurementEventCallback<decimal>((instrument, value, tags, _) => Record(instrument, (double)value, tags));
        _listener.Start();
    }

    /// <summary>All that was measured up to now.</summary>
    public string Write()
    {
        var failures = Observe();
        var text = new StringBuilder(4_096);
        lock (_gate)
        {
            foreach (var family in _families.Values) family.Write(text);
            text.Append("# HELP bank_metrics_series_dropped_total Measurements of series beyond the bound.\n# TYPE bank_metrics_series_dropped_total counter\n")
                .Append(CultureInfo.InvariantCulture, $"bank_metrics_series_dropped_total {_dropped}\n")
                .Append("# HELP bank_metrics_failures_total Instruments that could not be observed, each time.\n# TYPE bank_metrics_failures_total counter\n")
                .Append(CultureInfo.InvariantCulture, $"bank_metrics_failures_total {_failures += failures}\n");
        }

        return text.ToString();
    }

    public void Dispose() => _listener.Dispose();

    /// <summary>Asks all instruments that are to be asked. One that throws does not take the others with it. Says how many did.</summary>
    private int Observe()
    {
        try
        {
            _listener.RecordObservableInstruments();
            return 0;
        }
        catch (AggregateException several)
        {
            return several.InnerExceptions.Count;
        }
    }

    private void Record(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var labels = Labels.Write(tags);
        var name = MetricFamily.NameOf(instrument);
        lock (_gate)
        {
            if (!_families.TryGetValue(name, out var family)) _families.Add(name, family = MetricFamily.Of(instrument, name));
            if (family.TryRecord(labels, value)) return;
            if (_series >= SeriesMax)
            {
                _dropped++;
                return;
            }

            _series++;
            family.Add(labels, value);
        }
    }
}
