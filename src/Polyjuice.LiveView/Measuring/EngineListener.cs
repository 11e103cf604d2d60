using System.Diagnostics.Metrics;
using Polyjuice.Diagnostics;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Measuring;

/// <summary>
/// Hears the meter <c>Polyjuice</c> of the engines that run by one policy store, and counts. Engines record on their
/// own threads, and wait for nothing here but the moment that another one needs to count. Thread-safe.
/// </summary>
internal sealed class EngineListener : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly Lock _gate = new();
    private Tally _tally = new();
    private Observed _observed;

    public EngineListener(PolicyStore policies)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            // The page has waits by site from the waits themselves.
            if (instrument.Name == MeasuredEngines.SiteActions) return;
            if (policies.IsMeasuredBy(instrument.Meter)) listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>(
            (instrument, value, tags, _) => Count(instrument.Name, value, tags));
        _listener.SetMeasurementEventCallback<double>(
            (instrument, value, tags, _) => Time(instrument.Name, value, tags));
        _listener.SetMeasurementEventCallback<int>(
            (instrument, value, tags, _) => Measure(instrument.Name, value, tags));
        _listener.Start();
    }

    /// <summary>What was counted since it was called the last time, and what there is now.</summary>
    public (Tally Tally, Observed Observed) Take()
    {
        lock (_gate) _observed = default;
        _listener.RecordObservableInstruments();
        lock (_gate)
        {
            var taken = _tally;
            _tally = new Tally();
            return (taken, _observed);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _listener.Dispose();

    private void Count(string name, long value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        if (name == "polyjuice.commits")
        {
            lock (_gate) _tally.Committed(value);
        }
        else if (name == "polyjuice.aborts")
        {
            var (type, reason) = (Tag(tags, "type"), Tag(tags, "reason"));
            lock (_gate) _tally.Aborted(type, reason, value);
        }
        else
        {
            lock (_gate) Observe(name, value);
        }
    }

    private void Time(string name, double seconds, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var type = Tag(tags, "type");
        if (name == "polyjuice.transaction.duration")
        {
            lock (_gate) _tally.Took(type, seconds);
        }
        else if (name == "polyjuice.wait.duration")
        {
            var (site, target, isAborted) = (Tag(tags, "site"), Tag(tags, "target"), Tag(tags, "outcome") == "aborted");
            lock (_gate) _tally.Waited(type, site, target, isAborted, seconds);
        }
    }

    private void Measure(string name, int value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var table = Tag(tags, "table");
        lock (_gate)
        {
            switch (name)
            {
                case "polyjuice.dependency.chain":
                    _tally.Chained(value);
                    break;
                case "polyjuice.cascade.length":
                    _tally.Cascaded(value);
                    break;
                case "polyjuice.admission.waiting":
                    _observed.Waiting += value;
                    break;
                case "polyjuice.policy.chosen":
                    (_observed.Tables ??= []).Add(table);
                    break;
            }
        }
    }

    // Each engine of the process says its own.
    private void Observe(string name, long value)
    {
        switch (name)
        {
            case "polyjuice.trace.recordings":
                _observed.Recordings += value;
                break;
            case "polyjuice.trace.attempts":
                _observed.Recorded += value;
                break;
            case "polyjuice.trace.dropped":
                _observed.Dropped += value;
                break;
            case "polyjuice.trace.size":
                _observed.Bytes += value;
                break;
        }
    }

    /// <summary>What the observable instruments of all engines say, added up.</summary>
    internal struct Observed
    {
        /// <summary>Attempts that wait to start.</summary>
        public long Waiting;

        /// <summary>Engines that record a trace.</summary>
        public long Recordings;

        /// <summary>Attempts that were recorded.</summary>
        public long Recorded;

        /// <summary>Attempts and accesses that were to be.</summary>
        public long Dropped;

        /// <summary>Bytes that were written.</summary>
        public long Bytes;

        /// <summary>
        /// The table that engines have chosen. Those of one cluster choose one together: there are several for the
        /// moment that the news of another one takes.
        /// </summary>
        public readonly string? Chosen => Tables is null ? null : string.Join(", ", Tables);

        /// <summary>Those tables, each once.</summary>
        public SortedSet<string>? Tables;
    }

    private static string Tag(ReadOnlySpan<KeyValuePair<string, object?>> tags, string key)
    {
        foreach (var (name, value) in tags)
        {
            if (name == key) return value as string ?? "";
        }

        return "";
    }
}
