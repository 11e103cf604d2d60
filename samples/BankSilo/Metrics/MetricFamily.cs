using System.Diagnostics.Metrics;
using System.Globalization;
using System.Text;

namespace BankSilo.Metrics;

/// <summary>All series of one instrument. Not thread-safe.</summary>
internal sealed class MetricFamily
{
    private static readonly double[] _seconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
    private static readonly double[] _counts = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000];
    private readonly SortedDictionary<string, Series> _series = new(StringComparer.Ordinal);
    private readonly string _name;
    private readonly string _help;
    private readonly string _type;
    private readonly bool _isSum;
    private readonly double[]? _buckets;

    private MetricFamily(string name, string help, string type, bool isSum, double[]? buckets)
    {
        _name = name;
        _help = help;
        _type = type;
        _isSum = isSum;
        _buckets = buckets;
    }

    /// <summary>The family of an instrument.</summary>
    public static MetricFamily Of(Instrument instrument, string name) => new(
        name,
        instrument.Description ?? instrument.Name,
        IsHistogram(instrument) ? "histogram" : IsCounter(instrument) ? "counter" : "gauge",
        // Observable instruments tell totals, the others differences; a gauge tells what is.
        !instrument.IsObservable && !Is(instrument, typeof(Gauge<>)),
        !IsHistogram(instrument) ? null : instrument.Unit == "s" ? _seconds : _counts);

    /// <summary>An instrument's name as Prometheus' conventions have it.</summary>
    public static string NameOf(Instrument instrument)
    {
        var name = Labels.Name(instrument.Name);
        var unit = instrument.Unit switch { "s" => "_seconds", "By" => "_bytes", _ => "" };
        if (!name.EndsWith(unit, StringComparison.Ordinal)) name += unit;
        return IsCounter(instrument) ? name + "_total" : name;
    }

    /// <summary>Records, if the series is there already.</summary>
    public bool TryRecord(string labels, double value)
    {
        if (!_series.TryGetValue(labels, out var series)) return false;
        Record(series, value);
        return true;
    }

    /// <summary>Adds a series, and records.</summary>
    public void Add(string labels, double value)
    {
        var series = new Series(_buckets is null ? null : new long[_buckets.Length]);
        _series.Add(labels, series);
        Record(series, value);
    }

    /// <summary>Writes all series.</summary>
    public void Write(StringBuilder text)
    {
        text.Append("# HELP ").Append(_name).Append(' ').Append(Labels.Escape(_help)).Append("\n# TYPE ").Append(_name).Append(' ').Append(_type).Append('\n');
        foreach (var (labels, series) in _series)
        {
            if (_buckets is null)
            {
                Line(text, "", labels, series.Sum);
                continue;
            }

            long atMost = 0;
            var separator = labels.Length > 0 ? "," : "";
            for (var i = 0; i < _buckets.Length; i++)
            {
                atMost += series.Buckets![i];
                Line(text, "_bucket", string.Create(CultureInfo.InvariantCulture, $"{labels}{separator}le=\"{_buckets[i]}\""), atMost);
            }

            Line(text, "_bucket", $"{labels}{separator}le=\"+Inf\"", series.Count);
            Line(text, "_sum", labels, series.Sum);
            Line(text, "_count", labels, series.Count);
        }
    }

    private void Record(Series series, double value)
    {
        series.Sum = _isSum ? series.Sum + value : value;
        series.Count++;
        if (_buckets is null) return;
        var bucket = Array.FindIndex(_buckets, bound => value <= bound);
        if (bucket >= 0) series.Buckets![bucket]++;
    }

    private void Line(StringBuilder text, string suffix, string labels, double value)
    {
        text.Append(_name).Append(suffix);
        if (labels.Length > 0) text.Append('{').Append(labels).Append('}');
        text.Append(CultureInfo.InvariantCulture, $" {value}\n");
    }

    private static bool IsHistogram(Instrument instrument) => Is(instrument, typeof(Histogram<>));

    private static bool IsCounter(Instrument instrument) => Is(instrument, typeof(Counter<>)) || Is(instrument, typeof(ObservableCounter<>));

    private static bool Is(Instrument instrument, Type kind) => instrument.GetType() is { IsGenericType: true } type && type.GetGenericTypeDefinition() == kind;

    private sealed class Series(long[]? buckets)
    {
        public long[]? Buckets => buckets;

        public double Sum { get; set; }

        public long Count { get; set; }
    }
}
