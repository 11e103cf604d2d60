using System.Globalization;
using Polyjuice.Lab.Clusters;

namespace Polyjuice.Lab.Reporting;

/// <summary>Rows as a table for documents: an arm per line, and a column for each setting that was measured.</summary>
public static class MarkdownTable
{
    private const string None = "–";

    /// <summary>
    /// Committed transactions a second. Policies come first, those that are nearest to the best over all columns before the others, then the other engines.
    /// The best policy of a column is in bold.
    /// </summary>
    /// <param name="rows">What was measured, of any number of runs.</param>
    /// <param name="withSpread">Adds the slowest and the fastest round, and the share of attempts that aborted.</param>
    /// <exception cref="ArgumentException">One arm was measured twice with the same setting.</exception>
    public static string Rates(IReadOnlyList<BenchmarkRow> rows, bool withSpread)
    {
        var columns = new Columns(rows);
        var arms = rows.GroupBy(row => row.Policy).Select(arm => (Name: arm.Key, Cells: columns.Place(arm))).ToList();
        var best = columns.Titles.Select((_, i) => arms.Max(arm => arm.Cells[i] is { } row && IsPolicy(row) ? row.CommittedPerSecond : 0)).ToArray();
        var lines = new List<string> { Line(["committed/s", .. columns.Titles]), Line(Enumerable.Repeat("---", columns.Titles.Count + 1)) };
        foreach (var (name, cells) in arms.OrderBy(arm => IsPolicy(arm.Cells.First(row => row is not null)!) ? 0 : 1).ThenByDescending(arm => Nearness(arm.Cells, best)))
            lines.Add(Line([name, .. cells.Select((row, i) => row is null ? None : Cell(row, IsPolicy(row) && row.CommittedPerSecond == best[i], withSpread))]));
        return string.Join('\n', lines) + "\n";
    }

    /// <summary>A line for each row with the figures beside the rate.</summary>
    /// <param name="rows">What was measured.</param>
    public static string Costs(IReadOnlyList<BenchmarkRow> rows)
    {
        var columns = new Columns(rows);
        var lines = new List<string>
        {
            Line(["setting", "arm", "committed/s", "slowest … fastest round", "aborted", "p99 ms", "µs of processor", "KiB allocated", "GC pauses"]),
            Line(Enumerable.Repeat("---", 9)),
        };
        foreach (var row in rows)
        {
            var any = row.CommittedPerSecond > 0;
            lines.Add(Line(
            [
                columns.TitleOf(row), row.Policy, Figures.Rate(row.CommittedPerSecond), Spread(row), Aborted(row), any ? Figures.Milliseconds(row.P99Ms) : None,
                any ? row.CpuMicrosecondsPerTransaction.ToString("N0", CultureInfo.InvariantCulture) : None,
                any ? (row.AllocatedBytesPerTransaction / 1_024).ToString("N1", CultureInfo.InvariantCulture) : None, Figures.Share(row.GcPauseShare),
            ]));
        }

        return string.Join('\n', lines) + "\n";
    }

    private static bool IsPolicy(BenchmarkRow row) => row.Engine == BenchmarkEngine.Polyjuice.Name;

    // The geometric mean of the shares of each column's best. A column of zeros says nothing of anyone.
    private static double Nearness(BenchmarkRow?[] cells, double[] best)
    {
        var shares = cells.Zip(best).Where(cell => cell.First is not null && cell.Second > 0).Select(cell => cell.First!.CommittedPerSecond / cell.Second).ToList();
        return shares.Count == 0 ? 0 : Math.Exp(shares.Average(share => Math.Log(Math.Max(share, 1e-9))));
    }

    private static string Cell(BenchmarkRow row, bool isBest, bool withSpread)
    {
        var rate = Figures.Rate(row.CommittedPerSecond);
        return (isBest ? $"**{rate}**" : rate) + (withSpread ? $" ({Spread(row)}), {Aborted(row)}" : "");
    }

    private static string Spread(BenchmarkRow row) => $"{Figures.Rate(row.CommittedPerSecondMin)} … {Figures.Rate(row.CommittedPerSecondMax)}";

    // Other engines don't tell how often they aborted.
    private static string Aborted(BenchmarkRow row) => IsPolicy(row) ? Figures.Share(row.AbortedShare) : None;

    private static string Line(IEnumerable<string> cells) => $"| {string.Join(" | ", cells)} |";

    // Of the settings those are named that differ.
    private sealed class Columns
    {
        private static readonly (Func<BenchmarkRow, object> Of, Func<BenchmarkRow, string> Name)[] _settings =
        [
            (row => row.Workload, row => row.Workload),
            (row => row.Sizes, row => row.Sizes.Split(',')[0]),
            (row => row.Clients, row => $"{row.Clients} clients"),
            (row => row.Silos, row => row.Silos == 1 ? "1 silo" : $"{row.Silos} silos"),
            (row => row.Logs, row => row.Logs),
            (row => row.NetworkMs, row => $"messages +{Figures.Theta(row.NetworkMs)} ms"),
            (row => row.AppendMs, row => $"appends +{Figures.Theta(row.AppendMs)} ms"),
        ];

        private readonly List<Func<BenchmarkRow, string>> _named;

        public Columns(IReadOnlyList<BenchmarkRow> rows)
        {
            _named = [.. _settings.Where(setting => rows.Select(setting.Of).Distinct().Count() > 1).Select(setting => setting.Name)];
            if (_named.Count == 0 || rows.Any(row => row.Theta != 0)) _named.Add(row => $"θ {Figures.Theta(row.Theta)}");
            Titles = [.. rows.Select(TitleOf).Distinct()];
        }

        public IReadOnlyList<string> Titles { get; }

        public string TitleOf(BenchmarkRow row) => string.Join(", ", _named.Select(name => name(row)));

        public BenchmarkRow?[] Place(IEnumerable<BenchmarkRow> arm)
        {
            var byTitle = arm.ToLookup(TitleOf);
            if (byTitle.FirstOrDefault(cell => cell.Count() > 1) is { } twice)
                throw new ArgumentException($"{twice.First().Policy} was measured twice with the same setting ({twice.Key}): give each run a table of its own.");
            return [.. Titles.Select(title => byTitle[title].FirstOrDefault())];
        }
    }
}
