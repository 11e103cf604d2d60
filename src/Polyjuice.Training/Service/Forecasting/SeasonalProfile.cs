namespace Polyjuice.Training.Service.Forecasting;

/// <summary>
/// Takes a history of logarithms apart into levels, a daily and a weekly season: classical multiplicative
/// decomposition, the parts fitted in turn (backfitting) so that a shift of level in the middle of a week is not taken
/// for a season. Two seasons, one within the other, as in Taylor, "Short-term electricity demand forecasting using
/// double seasonal exponential smoothing", J. Oper. Res. Soc. 54, 2003.
/// </summary>
internal static class SeasonalProfile
{
    private const int Rounds = 4;

    /// <summary>
    /// What a week's departure from the mean day is smoothed over, to either side, twice: an eighth of a day. Its noise
    /// is what a first week would otherwise be taken for.
    /// </summary>
    private const int SmoothedPartOfDay = 8;

    /// <summary>The season of each slot of a week, in logarithms, with a mean of 0.</summary>
    /// <param name="history">In order.</param>
    /// <param name="grid">Whose windows.</param>
    /// <param name="knowsWeek">Whether there is a week to take a weekly season from.</param>
    public static double[] Fit(IReadOnlyList<KeptWindow> history, WindowGrid grid, bool knowsWeek)
    {
        var blocks = Blocks(history, grid);
        var levels = new double[blocks[^1] + 1];
        var day = new double[grid.PerDay];
        var week = new double[grid.PerWeek];
        for (var round = 0; round < Rounds; round++)
        {
            Means(
                levels,
                i => blocks[i],
                window => window.Log - day[grid.SlotOfDay(window.Window)] - week[grid.SlotOfWeek(window.Window)]);
            Means(
                day,
                i => grid.SlotOfDay(history[i].Window),
                window => window.Log - week[grid.SlotOfWeek(window.Window)],
                levels);
            Center(day);
            if (!knowsWeek) continue;
            var counts = Means(
                week,
                i => grid.SlotOfWeek(history[i].Window),
                window => window.Log - day[grid.SlotOfDay(window.Window)],
                levels);
            week = Smooth(Smooth(week, counts, grid), counts, grid);
            Center(week);
        }

        for (var slot = 0; slot < week.Length; slot++) week[slot] += day[slot % grid.PerDay];
        return week;

        int[] Means(double[] into, Func<int, int> slotOf, Func<KeptWindow, double> value, double[]? without = null)
        {
            var counts = new int[into.Length];
            var sums = new double[into.Length];
            for (var i = 0; i < history.Count; i++)
            {
                var slot = slotOf(i);
                counts[slot]++;
                sums[slot] += value(history[i]) - (without?[blocks[i]] ?? 0);
            }

            for (var slot = 0; slot < into.Length; slot++)
                into[slot] = counts[slot] == 0 ? 0 : sums[slot] / counts[slot];
            return counts;
        }
    }

    /// <summary>
    /// Which level each window has: one for each week between two shifts, so that a slow trend is not taken for a
    /// season either. A rest that is shorter than a week belongs to the week before it.
    /// </summary>
    private static int[] Blocks(IReadOnlyList<KeptWindow> history, WindowGrid grid)
    {
        var blocks = new int[history.Count];
        var block = -1;
        for (var from = 0; from < history.Count;)
        {
            var until = EndOfSegment(from);

            // What the level came back from within days may be a day that
            // is so each week: it is told from its level only if it stays.
            for (var next = until; next < history.Count; next = until)
            {
                var end = EndOfSegment(next);
                if (end == history.Count || history[end - 1].Window - history[next].Window >= grid.PerWeek / 2) break;
                until = end;
            }

            var weeks = Math.Max(1, (history[until - 1].Window - history[from].Window + 1) / grid.PerWeek);
            var last = -1L;
            for (var i = from; i < until; i++)
            {
                var week = Math.Min(weeks - 1, (history[i].Window - history[from].Window) / grid.PerWeek);
                if (week != last) block++;
                last = week;
                blocks[i] = block;
            }

            from = until;
        }

        return blocks;

        int EndOfSegment(int from)
        {
            var until = from + 1;
            while (until < history.Count && history[until].Segment == history[from].Segment) until++;
            return until;
        }
    }

    private static double[] Smooth(double[] values, int[] counts, WindowGrid grid)
    {
        var reach = grid.PerDay / SmoothedPartOfDay;
        var smooth = new double[values.Length];
        for (var slot = 0; slot < values.Length; slot++)
        {
            var (sum, count) = (0.0, 0);
            for (var by = -reach; by <= reach; by++)
            {
                var other = (slot + by + values.Length) % values.Length;
                sum += values[other] * counts[other];
                count += counts[other];
            }

            smooth[slot] = count == 0 ? 0 : sum / count;
        }

        return smooth;
    }

    private static void Center(double[] values)
    {
        var mean = values.Average();
        for (var i = 0; i < values.Length; i++) values[i] -= mean;
    }
}
