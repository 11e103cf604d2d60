using System.Diagnostics.Metrics;

namespace Polyjuice.Policies;

/// <summary>
/// How often accesses did what their rows say, by site. Counted on the engine's turn: an index and an addition. Other
/// threads may read, and see slightly old values.
/// </summary>
/// <param name="registry">Knows the sites by number.</param>
internal sealed class SiteCounts(SiteRegistry registry)
{
    /// <summary>
    /// So many sites are told apart, those that were seen first; what the rest does is counted together. With
    /// <see cref="Actions"/> that is less than the 2,000 series that OpenTelemetry keeps of one instrument.
    /// </summary>
    public const int SitesMax = 250;

    /// <summary>The type and the site of the rest.</summary>
    public const string Others = "(others)";

    private static readonly string[] s_names =
    [
        "wait", "wait_deadlock", "wait_timeout", "dirty_read", "exposure", "early_validation",
        "early_validation_failure",
    ];

    private long[] _counts = [];

    private SiteRegistry Registry => registry;

    /// <summary>How many kinds of action there are.</summary>
    public static int Actions => s_names.Length;

    /// <summary>An access has done it.</summary>
    /// <param name="siteId">Its site; negative for what is no access, which has no row.</param>
    /// <param name="action">What.</param>
    public void Count(int siteId, SiteAction action)
    {
        if (siteId < 0) return;
        var at = (Math.Min(siteId, SitesMax) * Actions) + (int)action;
        if (at >= _counts.Length) Grow(at + 1);
        _counts[at]++;
    }

    /// <summary>What has happened at all, so far.</summary>
    public IEnumerable<Measurement<long>> Read() => Read([this]);

    /// <summary>The same of several engines together.</summary>
    /// <param name="engines">Of one registry; at least one.</param>
    public static IEnumerable<Measurement<long>> Read(SiteCounts[] engines)
    {
        var registry = engines[0].Registry;
        var all = Array.ConvertAll(engines, static engine => Volatile.Read(ref engine._counts));
        for (var at = 0; at < all.Max(static counts => counts.Length); at++)
        {
            var count = 0L;
            foreach (var counts in all) count += at < counts.Length ? Volatile.Read(ref counts[at]) : 0;
            if (count == 0) continue;
            var (site, action) = Math.DivRem(at, Actions);

            // Looked up only now: a site may have been seen after the counting of the others was read. This thread may
            // see the count before the site; then the next reading tells of it.
            var sites = registry.Sites;
            if (site < SitesMax && site >= sites.Count) continue;
            var key = site < SitesMax ? sites[site].Key : null;
            yield return new(
                count, new KeyValuePair<string, object?>("type", key?.Type ?? Others),
                new KeyValuePair<string, object?>("site", key?.Name ?? Others),
                new KeyValuePair<string, object?>("action", s_names[action]));
        }
    }

    // A copy, because others read the array meanwhile.
    private void Grow(int least)
    {
        var longer = new long[Math.Min(Math.Max(least, 2 * _counts.Length), (SitesMax + 1) * Actions)];
        _counts.CopyTo(longer, 0);
        Volatile.Write(ref _counts, longer);
    }
}
