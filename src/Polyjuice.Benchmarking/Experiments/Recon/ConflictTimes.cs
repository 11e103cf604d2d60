using Polyjuice.Benchmarking.Load;
using Polyjuice.Execution;
using Polyjuice.Reconnaissance;

namespace Polyjuice.Benchmarking.Experiments.Recon;

/// <summary>For how long reservations were held, grain by grain, and transactions stood in others' way. Thread-safe.</summary>
internal sealed class ConflictTimes : IConflictTimes
{
    private readonly Lock _lock = new();
    private readonly Dictionary<ParticipantKey, Holds> _held = [];
    private readonly LatencyHistogram _spans = new();
    private bool _counts;

    /// <summary>From now on it counts, from nothing.</summary>
    public void Start()
    {
        lock (_lock)
        {
            _held.Clear();
            _spans.Clear();
            _counts = true;
        }
    }

    /// <summary>From now on it does not.</summary>
    public void Stop()
    {
        lock (_lock) _counts = false;
    }

    /// <inheritdoc/>
    public void Held(ParticipantKey key, long microseconds)
    {
        lock (_lock)
        {
            if (!_counts) return;
            if (!_held.TryGetValue(key, out var held)) _held.Add(key, held = new());
            held.Add(microseconds);
        }
    }

    /// <inheritdoc/>
    public void Sealed(long microseconds)
    {
        lock (_lock)
        {
            if (_counts) _spans.Record(TimeSpan.FromMicroseconds(microseconds));
        }
    }

    /// <summary>Adds what was found in an interval: of the hottest grain, which was held most often, and of all transactions.</summary>
    public void AddTo(Dictionary<string, double> figures, TimeSpan elapsed)
    {
        lock (_lock)
        {
            figures["span p50 ms"] = _spans.Percentile(50).TotalMilliseconds;
            figures["span p99 ms"] = _spans.Percentile(99).TotalMilliseconds;
            if (_held.Count == 0) return;
            var hottest = _held.Values.MaxBy(held => held.Count)!;
            var mean = hottest.Sum / (double)hottest.Count;
            figures["hold ms"] = mean / 1_000;
            if (hottest.Times is { } held) figures["hold p99 ms"] = held.Percentile(99).TotalMilliseconds;
            figures["1/hold"] = 1e6 / Math.Max(mean, 0.001);
            figures["of 1/hold"] = hottest.Count / elapsed.TotalSeconds / figures["1/hold"];
        }
    }

    private sealed class Holds
    {
        /// <summary>Whoever is held less often is not the hottest, and a histogram for each of thousands of grains would be what is measured.</summary>
        private const int HotMin = 512;

        public LatencyHistogram? Times { get; private set; }

        public long Count { get; private set; }

        /// <summary>In microseconds.</summary>
        public long Sum { get; private set; }

        public void Add(long microseconds)
        {
            Sum += microseconds;
            if (++Count >= HotMin) (Times ??= new()).Record(TimeSpan.FromMicroseconds(microseconds));
        }
    }
}
