using Polyjuice.Contracts;
using Polyjuice.Lab.Load;

namespace Polyjuice.Lab.Experiments.Recon;

/// <summary>
/// For how long reservations were held, grain by grain, and transactions stood in others' way. Thread-safe. Only arms
/// that reserve have anything to tell of grains, five times for a transfer and more, so it costs them as little as can
/// be: each thread has counts of its own, and takes one in <see cref="HoldsOfEach"/> of those, by chance, for as many;
/// but all that were held for long, of which there are few, and which make up a good part of all time. To take all took
/// a twentieth of the processor time of what is measured.
/// </summary>
internal sealed class ConflictTimes : IConflictTimes, IDisposable
{
    /// <summary>One reservation in so many is taken.</summary>
    private const int HoldsOfEach = 8;

    /// <summary>
    /// All are taken that were held for so many microseconds: while garbage was collected, most often.
    /// </summary>
    private const long LongMicroseconds = 1_000;

    private readonly ThreadLocal<Counts> _counts = new(() => new(), trackAllValues: true);
    private volatile bool _isCounting;

    /// <summary>From now on it counts, on top of what it has counted before.</summary>
    public void Start() => _isCounting = true;

    /// <summary>From now on it does not.</summary>
    public void Stop() => _isCounting = false;

    /// <inheritdoc/>
    public void Held(ParticipantKey key, long microseconds)
    {
        if (!_isCounting || _counts.Value is not { } counts) return;
        if (microseconds >= LongMicroseconds) counts.AddHold(key, microseconds, times: 1);
        else if (counts.TakesHold()) counts.AddHold(key, microseconds, HoldsOfEach);
    }

    /// <inheritdoc/>
    public void Sealed(long microseconds)
    {
        if (_isCounting) _counts.Value!.AddSpan(microseconds);
    }

    /// <summary>
    /// Adds what was found while it counted: of the hottest grain, which was held most often, and of all transactions.
    /// </summary>
    public void AddTo(Dictionary<string, double> figures, TimeSpan elapsed)
    {
        var spans = new LatencyHistogram();
        var held = new Dictionary<ParticipantKey, Holds>();
        foreach (var counts in _counts.Values) counts.AddTo(spans, held);
        figures["span p50 ms"] = spans.Percentile(50).TotalMilliseconds;
        figures["span p99 ms"] = spans.Percentile(99).TotalMilliseconds;
        if (held.Count == 0) return;
        var hottest = held.Values.MaxBy(holds => holds.Count)!;
        var mean = hottest.Sum / (double)hottest.Count;
        figures["hold ms"] = mean / 1_000;
        if (hottest.Times is { } times) figures["hold p99 ms"] = times.Percentile(99).TotalMilliseconds;
        figures["1/hold"] = 1e6 / Math.Max(mean, 0.001);
        figures["of 1/hold"] = hottest.Count / elapsed.TotalSeconds / figures["1/hold"];
    }

    /// <inheritdoc/>
    public void Dispose() => _counts.Dispose();

    /// <summary>What one thread has told. Its lock is met only by whoever reads out.</summary>
    private sealed class Counts
    {
        private readonly Lock _lock = new();
        private readonly LatencyHistogram _spans = new();

        // A participant has one key object as long as its silo owns it;
        // what is under several is put together when it is read out.
        private readonly Dictionary<ParticipantKey, Holds> _held = new(ReferenceEqualityComparer.Instance);

        private uint _chance = 1;

        /// <summary>Whether to take the next short one. The thread itself.</summary>
        public bool TakesHold()
        {
            // A linear congruential generator's high bits: nothing that comes at regular intervals is preferred.
            _chance = (_chance * 1_664_525) + 1_013_904_223;
            return _chance < uint.MaxValue / HoldsOfEach;
        }

        public void AddHold(ParticipantKey key, long microseconds, int times)
        {
            lock (_lock)
            {
                if (!_held.TryGetValue(key, out var holds)) _held.Add(key, holds = new());
                holds.Add(microseconds, times);
            }
        }

        public void AddSpan(long microseconds)
        {
            lock (_lock) _spans.Record(TimeSpan.FromMicroseconds(microseconds));
        }

        public void AddTo(LatencyHistogram spans, Dictionary<ParticipantKey, Holds> held)
        {
            lock (_lock)
            {
                spans.Add(_spans);
                foreach (var (key, holds) in _held)
                {
                    if (!held.TryGetValue(key, out var sum)) held.Add(key, sum = new());
                    sum.Add(holds);
                }
            }
        }
    }

    private sealed class Holds
    {
        /// <summary>
        /// Whoever is held less often is not the hottest, and a histogram
        /// for each of thousands of grains would be what is measured.
        /// </summary>
        private const int HotMin = 2_048;

        public LatencyHistogram? Times { get; private set; }

        public long Count { get; private set; }

        /// <summary>In microseconds.</summary>
        public long Sum { get; private set; }

        public void Add(long microseconds, int times)
        {
            Sum += times * microseconds;
            Count += times;
            if (Count >= HotMin) (Times ??= new()).Record(TimeSpan.FromMicroseconds(microseconds), times);
        }

        public void Add(Holds other)
        {
            Sum += other.Sum;
            Count += other.Count;
            if (other.Times is { } times) (Times ??= new()).Add(times);
        }
    }
}
