namespace Polyjuice.LiveView.Measuring;

/// <summary>What is counted between two samples. Not thread-safe.</summary>
internal sealed class Tally
{
    /// <summary>
    /// So many types, and so many sites with whom is waited for there,
    /// are told apart; what comes beyond that is counted together.
    /// </summary>
    public const int NamesMax = 1_000;

    /// <summary>The name under which it is.</summary>
    public const string Others = "(others)";

    private readonly Dictionary<string, LatencyBuckets> _latencies = new(StringComparer.Ordinal);
    private readonly Dictionary<(string Type, string Site, string Target), SiteWaits> _waits = [];
    private readonly Dictionary<(string Type, string Reason), long> _aborts = [];
    private long _chains;
    private long _chainSum;
    private int _chainMax;
    private long _commits;
    private long _cascaded;

    public void Committed(long count) => _commits += count;

    public void Aborted(string type, string reason, long count)
    {
        if (_aborts.Count >= NamesMax && !_aborts.ContainsKey((type, reason))) type = Others;
        _aborts[(type, reason)] = _aborts.GetValueOrDefault((type, reason)) + count;
    }

    public void Took(string type, double seconds)
    {
        if (_latencies.Count >= NamesMax && !_latencies.ContainsKey(type)) type = Others;
        if (!_latencies.TryGetValue(type, out var buckets)) _latencies.Add(type, buckets = new LatencyBuckets());
        buckets.Add(seconds);
    }

    public void Waited(string type, string site, string target, bool isAborted, double seconds)
    {
        if (_waits.Count >= NamesMax && !_waits.ContainsKey((type, site, target)))
            (type, site, target) = (Others, Others, Others);
        var known = _waits.GetValueOrDefault((type, site, target)) ?? new SiteWaits(type, site, target, 0, 0, 0);
        _waits[(type, site, target)] = known with
        {
            Waits = known.Waits + 1, Aborted = known.Aborted + (isAborted ? 1 : 0), Seconds = known.Seconds + seconds
        };
    }

    public void Chained(int length)
    {
        _chains++;
        _chainSum += length;
        _chainMax = Math.Max(_chainMax, length);
    }

    public void Cascaded(int length) => _cascaded += length;

    /// <summary>Waits by site.</summary>
    public IReadOnlyList<SiteWaits> Waits() => [.. _waits.Values];

    /// <summary>The rest as a sample.</summary>
    public Sample ToSample(long number, DateTimeOffset at, double seconds, int policyVersion)
    {
        var all = new LatencyBuckets();
        foreach (var buckets in _latencies.Values) all.Add(buckets);
        return new Sample
        {
            Number = number,
            At = at,
            Seconds = seconds,
            Commits = _commits,
            Aborts = _aborts.GroupBy(one => one.Key.Reason)
                .ToDictionary(reason => reason.Key, reason => reason.Sum(one => one.Value)),
            TypeAborts =
            [
                .. _aborts.Select(one => new TypeAborts(one.Key.Type, one.Key.Reason, one.Value))
                .OrderByDescending(one => one.Attempts)
            ],
            TypeWaits =
            [
                .. _waits.Values.GroupBy(site => (site.Type, site.Target))
                    .Select(pair => new TypeWaits(pair.Key.Type, pair.Key.Target, pair.Sum(site => site.Seconds)))
                    .OrderByDescending(pair => pair.Seconds).Take(TypeWaits.Max),
            ],
            Latency = Of("", all),
            Types =
            [
                .. _latencies.OrderBy(type => type.Key, StringComparer.Ordinal).Select(type => Of(type.Key, type.Value))
            ],
            ChainMean = _chains == 0 ? 0 : (double)_chainSum / _chains,
            ChainMax = _chainMax,
            Cascaded = _cascaded,
            PolicyVersion = policyVersion,
        };
    }

    private static TypeLatency Of(string type, LatencyBuckets buckets) =>
        new(type, buckets.Count, buckets.Mean, buckets.Quantile(0.5), buckets.Quantile(0.99));
}
