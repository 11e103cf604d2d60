using System.Numerics;

namespace Polyjuice.Lab.Load;

/// <summary>
/// Counts of durations in logarithmic buckets, as HdrHistogram does: each power of two is divided into 128 equal
/// buckets, so that a percentile is off by less than 1%. Recording is a shift and an increment. Not thread-safe;
/// mergeable.
/// </summary>
public sealed class LatencyHistogram
{
    private const int SubBits = 7;
    private const int SubBuckets = 1 << SubBits;
    private readonly long[] _counts = new long[(64 - SubBits + 1) * SubBuckets];

    /// <summary>Durations recorded.</summary>
    public long Count { get; private set; }

    /// <summary>The longest duration recorded, exactly; zero when there is none.</summary>
    public TimeSpan Max { get; private set; }

    /// <summary>Counts one duration; a negative one (a clock's fault) counts as zero.</summary>
    /// <param name="duration">The duration.</param>
    /// <param name="times">How often it counts, at least once.</param>
    public void Record(TimeSpan duration, int times = 1)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(times, 1);
        if (duration < TimeSpan.Zero) duration = TimeSpan.Zero;
        _counts[IndexOf((ulong)duration.Ticks)] += times;
        Count += times;
        if (duration > Max) Max = duration;
    }

    /// <summary>Takes over another histogram's counts.</summary>
    public void Add(LatencyHistogram other)
    {
        for (var i = 0; i < _counts.Length; i++) _counts[i] += other._counts[i];
        Count += other.Count;
        if (other.Max > Max) Max = other.Max;
    }

    /// <summary>
    /// The duration that the given share of the recorded ones does not exceed; zero when there is none.
    /// </summary>
    /// <param name="percentile">0 to 100.</param>
    public TimeSpan Percentile(double percentile)
    {
        if (!(percentile is >= 0 and <= 100))
            throw new ArgumentOutOfRangeException(
                nameof(percentile), percentile, "A percentile is a number from 0 to 100.");
        if (Count == 0) return TimeSpan.Zero;
        var wanted = Math.Max(1, (long)Math.Ceiling(Count * percentile / 100));
        var seen = 0L;
        for (var i = 0; i < _counts.Length; i++)
        {
            seen += _counts[i];
            if (seen >= wanted) return TimeSpan.FromTicks(Math.Min(MiddleOf(i), Max.Ticks));
        }

        return Max;
    }

    private static int IndexOf(ulong ticks)
    {
        if (ticks < SubBuckets) return (int)ticks;
        var shift = BitOperations.Log2(ticks) - SubBits;
        return ((shift + 1) << SubBits) + (int)((ticks >> shift) - SubBuckets);
    }

    private static long MiddleOf(int index)
    {
        if (index < SubBuckets) return index;
        var shift = (index >> SubBits) - 1;
        var low = ((long)(index & (SubBuckets - 1)) + SubBuckets) << shift;
        return low + ((1L << shift) >> 1);
    }
}
