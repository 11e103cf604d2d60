namespace Polyjuice.Isolation;

/// <summary>When a transaction used a register, and the versions at which it entered and left.</summary>
/// <param name="Begin">The index of its invocation.</param>
/// <param name="End">The index at which it was told, or null.</param>
/// <param name="First">The version that it saw or wrote first.</param>
/// <param name="Last">The version that it left.</param>
internal readonly record struct VersionSpan(long Begin, long? End, int First, int Last)
{
    /// <summary>Orders versions of one key by real time, without what follows from the rest.</summary>
    public static void Order(List<VersionSpan> spans, Action<int, int> add)
    {
        var events = new List<(long Index, int Span, bool IsEnd)>(2 * spans.Count);
        for (var i = 0; i < spans.Count; i++)
        {
            events.Add((spans[i].Begin, i, false));
            if (spans[i].End is { } end) events.Add((end, i, true));
        }

        events.Sort((a, b) => a.Index.CompareTo(b.Index));

        // The frontier: who has completed, and no one who completed began after that. At most as many as ran at once.
        var frontier = new List<int>();
        var before = new int[spans.Count][];
        foreach (var (_, span, isEnd) in events)
        {
            if (!isEnd)
            {
                before[span] = [.. frontier];
                foreach (var earlier in frontier) add(spans[earlier].Last, spans[span].First);
                continue;
            }

            var overtaken = before[span];
            frontier.RemoveAll(f => Array.IndexOf(overtaken, f) >= 0);
            frontier.Add(span);
        }
    }
}
