namespace Polyjuice.Training.Traces;

/// <summary>Finds the windows that all silos have recorded whole.</summary>
internal static class CoveredTime
{
    /// <summary>
    /// Silos that are told to record at about the same time begin one after
    /// the other: the last of those within this time begins the trace.
    /// </summary>
    private const long StartSpreadMax = 1_000_000;

    /// <summary>
    /// The windows, in order and apart; a silo that began or ended in between counts while it recorded.
    /// </summary>
    /// <param name="covers">What each silo has covered.</param>
    /// <param name="grid">How far apart the starts of windows are, and how long they are.</param>
    public static List<RecordedSpan> Of(IReadOnlyCollection<SiloCover> covers, (long Period, long Length) grid)
    {
        if (covers.Count == 0) return [];
        var firsts = covers.Select(cover => cover.Spans.Min(span => span.From)).ToList();
        var lasts = covers.Select(cover => cover.Spans.Max(span => span.Until)).ToList();
        var start = firsts.Where(first => first - firsts.Min() <= StartSpreadMax).Max();
        var end = lasts.Where(last => lasts.Max() - last <= StartSpreadMax).Min();
        var windows = new List<RecordedSpan>();
        if (end <= start) return windows;
        var gaps = Merge(covers.SelectMany(Gaps));
        var at = start;
        foreach (var gap in gaps.Append(new RecordedSpan(end, end)))
        {
            var until = Math.Min(gap.From, end);
            if (until > at) AddWindows(windows, at, until, grid);
            at = Math.Max(at, gap.Until);
        }

        return windows;
    }

    /// <summary>What a silo missed between its first and its last chunk.</summary>
    private static IEnumerable<RecordedSpan> Gaps(SiloCover cover)
    {
        var until = long.MinValue;
        foreach (var span in cover.Spans.OrderBy(span => span.From))
        {
            if (until != long.MinValue && span.From > until) yield return new RecordedSpan(until, span.From);
            until = Math.Max(until, span.Until);
        }
    }

    private static List<RecordedSpan> Merge(IEnumerable<RecordedSpan> spans)
    {
        var merged = new List<RecordedSpan>();
        foreach (var span in spans.OrderBy(span => span.From))
        {
            if (merged.Count > 0 && span.From <= merged[^1].Until)
                merged[^1] = merged[^1] with { Until = Math.Max(merged[^1].Until, span.Until) };
            else merged.Add(span);
        }

        return merged;
    }

    private static void AddWindows(List<RecordedSpan> windows, long from, long until, (long Period, long Length) grid)
    {
        if (grid.Length >= grid.Period)
        {
            windows.Add(new RecordedSpan(from, until));
            return;
        }

        for (var start = from - (from % grid.Period); start < until; start += grid.Period)
        {
            var window = new RecordedSpan(Math.Max(from, start), Math.Min(until, start + grid.Length));
            if (window.Until > window.From) windows.Add(window);
        }
    }
}
