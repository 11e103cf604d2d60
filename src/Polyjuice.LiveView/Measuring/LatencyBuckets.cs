namespace Polyjuice.LiveView.Measuring;

/// <summary>
/// Times in buckets whose bounds grow by the eighth root of two, which keeps quantiles to within 9%. Not thread-safe.
/// </summary>
internal sealed class LatencyBuckets
{
    private const int PerDoubling = 8;

    // From 1 µs to 2^36 µs, which is 19 hours.
    private readonly int[] _counts = new int[36 * PerDoubling];
    private double _sum;

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Their mean in seconds; 0 without any.</summary>
    public double Mean => Count == 0 ? 0 : _sum / Count;

    /// <summary>Adds one.</summary>
    /// <param name="seconds">Not negative.</param>
    public void Add(double seconds)
    {
        var bucket = (int)(Math.Log2(Math.Max(1, seconds * 1e6)) * PerDoubling);
        _counts[Math.Min(bucket, _counts.Length - 1)]++;
        _sum += seconds;
        Count++;
    }

    /// <summary>Adds all of another's.</summary>
    public void Add(LatencyBuckets other)
    {
        for (var i = 0; i < _counts.Length; i++) _counts[i] += other._counts[i];
        _sum += other._sum;
        Count += other.Count;
    }

    /// <summary>
    /// The time in seconds that a share of them does not exceed, as the upper bound of its bucket; 0 without any.
    /// </summary>
    /// <param name="share">Above 0, at most 1.</param>
    public double Quantile(double share)
    {
        if (Count == 0) return 0;
        var rank = (long)Math.Ceiling(share * Count);
        var bucket = 0;
        for (long seen = _counts[0]; seen < rank; seen += _counts[bucket]) bucket++;
        return Math.Pow(2, (bucket + 1) / (double)PerDoubling) / 1e6;
    }
}
