using System.Globalization;
using Polyjuice.CommandLine;
using Polyjuice.Lab.Clusters;

namespace Polyjuice.Lab.Reporting;

/// <summary>Rows as a table for documents: an arm per line, and a column for each setting that was measured.</summary>
public static class MarkdownTable
{
    private const string None = "–";

    /// <summary>
    /// Committed transactions a second. Policies come first, those that are nearest to the best over all columns before
    /// the others, then the other engines. The best policy of a column is in bold.
    /// </summary>
    /// <param name="rows">What was measured, of any number of runs.</param>
    /// <param name="withSpread">Adds the slowest and the fastest round, and the share of attempts that aborted.</param>
    /// <exception cref="ArgumentException">One arm was measured twice with the same setting.</exception>
    public static string Rates(IReadOnlyList<BenchmarkRow> rows, bool withSpread)
    {
        var columns = new Columns(rows);
        var arms = Arms(rows, columns);
        var best = Best(arms, columns);
        var lines = new List<string>
        {
            Line(["committed/s", .. columns.Titles]), Line(Enumerable.Repeat("---", columns.Titles.Count + 1))
        };
        foreach (var (name, cells) in arms.OrderBy(arm => IsPolicy(arm.Cells.First(row => row is not null)!) ? 0 : 1)
            .ThenByDescending(arm => Nearness(arm.Cells, best)))
            lines.Add(
                Line([
                    name,
                    .. cells.Select(
                        (row, i) => row is null
                            ? None
                            : Cell(row, IsPolicy(row) && row.CommittedPerSecond == best[i], withSpread))
                ]));
        return string.Join('\n', lines) + "\n";
    }

    /// <summary>A line for each row with the figures beside the rate.</summary>
    /// <param name="rows">What was measured.</param>
    public static string Costs(IReadOnlyList<BenchmarkRow> rows)
    {
        var columns = new Columns(rows);
        var lines = new List<string>
        {
            Line([
                "setting", "arm", "committed/s", "slowest … fastest round", "aborted", "p99 ms", "µs of processor",
                "KiB allocated", "GC pauses"
            ]),
            Line(Enumerable.Repeat("---", 9)),
        };
        foreach (var row in rows)
        {
            var any = row.CommittedPerSecond > 0;
            lines.Add(Line(
            [
                columns.TitleOf(row), row.Policy, Figures.Rate(row.CommittedPerSecond), Spread(row), Aborted(row),
                any ? Figures.Milliseconds(row.P99Ms) : None,
                any ? row.CpuMicrosecondsPerTransaction.ToString("N0", CultureInfo.InvariantCulture) : None,
                any ? (row.AllocatedBytesPerTransaction / 1_024).ToString("N1", CultureInfo.InvariantCulture) : None,
                Figures.Share(row.GcPauseShare),
            ]));
        }

        return string.Join('\n', lines) + "\n";
    }

    /// <summary>
    /// What each policy makes of the best one's rate: the geometric mean over all
    /// settings, and where it makes least. Those whose worst is best come first.
    /// </summary>
    /// <param name="rows">What was measured, of any number of runs.</param>
    /// <exception cref="ArgumentException">One arm was measured twice with the same setting.</exception>
    public static string Shares(IReadOnlyList<BenchmarkRow> rows)
    {
        var columns = new Columns(rows);
        var arms = Arms([.. rows.Where(IsPolicy)], columns);
        var best = Best(arms, columns);
        var lines = new List<string>
        {
            Line([$"of the best, {columns.Titles.Count} settings", "geometric mean", "worst", "where"]),
            Line(Enumerable.Repeat("---", 4))
        };
        var worst = arms.Select(arm => (arm.Name, Mean: Nearness(arm.Cells, best), Worst: Worst(arm.Cells, best)));
        foreach (var arm in worst.OrderByDescending(arm => arm.Worst.Share))
            lines.Add(
                Line([
                    arm.Name,
                    Figures.Percent(arm.Mean),
                    Figures.Percent(arm.Worst.Share),
                    arm.Worst.Row is { } row ? columns.TitleOf(row) : None
                ]));
        return string.Join('\n', lines) + "\n";
    }

    private static (BenchmarkRow? Row, double Share) Worst(BenchmarkRow?[] cells, double[] best) => cells
        .Select((row, i) => (Row: row, Share: row is null || best[i] == 0 ? 1 : row.CommittedPerSecond / best[i]))
        .MinBy(cell => cell.Share);

    private static List<(string Name, BenchmarkRow?[] Cells)> Arms(IReadOnlyList<BenchmarkRow> rows, Columns columns) =>
        [.. rows.GroupBy(row => row.Policy).Select(arm => (arm.Key, columns.Place(arm)))];

    private static double[] Best(List<(string Name, BenchmarkRow?[] Cells)> arms, Columns columns) =>
        [
            .. columns.Titles.Select(
                (_, i) => arms.Max(arm => arm.Cells[i] is { } row && IsPolicy(row) ? row.CommittedPerSecond : 0))
        ];

    private static bool IsPolicy(BenchmarkRow row) => row.Engine == BenchmarkEngine.Polyjuice.Name;

    // The geometric mean of the shares of each column's best. A column of zeros says nothing of anyone.
    private static double Nearness(BenchmarkRow?[] cells, double[] best)
    {
        var measured = cells.Zip(best).Where(cell => cell.First is not null && cell.Second > 0);
        return measured.Select(cell => cell.First!.CommittedPerSecond / cell.Second).GeometricMean();
    }

    private static string Cell(BenchmarkRow row, bool isBest, bool withSpread)
    {
        var rate = Figures.Rate(row.CommittedPerSecond);
        return (isBest ? $"**{rate}**" : rate) + (withSpread ? $" ({Spread(row)}), {Aborted(row)}" : "");
    }

    private static string Spread(BenchmarkRow row) =>
        $"{Figures.Rate(row.CommittedPerSecondMin)} … {Figures.Rate(row.CommittedPerSecondMax)}";

    // Other engines don't tell how often they aborted.
    private static string Aborted(BenchmarkRow row) => IsPolicy(row) ? Figures.Share(row.AbortedShare) : None;

    private static string Line(IEnumerable<string> cells) => $"| {string.Join(" | ", cells)} |";

    // Of the settings of a workload's rows those are named that differ.
    private sealed class Columns
    {
        private static readonly (Func<BenchmarkRow, object> Of, Func<BenchmarkRow, string> Name)[] _settings =
        [
            (row => row.Sizes, row => row.Sizes.Split(',')[0]),
            (row => row.Clients, row => $"{row.Clients} clients"),
            (row => row.Silos, row => SettingText.Silos(row.Silos)),
            (row => row.Logs, row => row.Logs),
            (row => row.NetworkMs, row => SettingText.Messages(row.NetworkMs)),
            (row => row.AppendMs, row => SettingText.Appends(row.AppendMs)),
            (row => row.Theta, row => $"θ {Figures.Theta(row.Theta)}"),
        ];

        private readonly Dictionary<string, List<Func<BenchmarkRow, string>>> _named = [];

        public Columns(IReadOnlyList<BenchmarkRow> rows)
        {
            var workloads = rows.ToLookup(row => row.Workload);
            foreach (var workload in workloads)
            {
                var named = _settings.Where(setting => workload.Select(setting.Of).Distinct().Count() > 1)
                    .Select(setting => setting.Name).ToList();
                if (workloads.Count > 1) named.Insert(0, row => row.Workload);
                if (named.Count == 0) named.Add(_settings[^1].Name);
                _named.Add(workload.Key, named);
            }

            Titles = [.. rows.Select(TitleOf).Distinct()];
        }

        public IReadOnlyList<string> Titles { get; }

        public string TitleOf(BenchmarkRow row) => string.Join(", ", _named[row.Workload].Select(name => name(row)));

        public BenchmarkRow?[] Place(IEnumerable<BenchmarkRow> arm)
        {
            var byTitle = arm.ToLookup(TitleOf);
            if (byTitle.FirstOrDefault(cell => cell.Count() > 1) is { } twice)
                throw new ArgumentException(
                    $"{twice.First().Policy} was measured twice with the same setting ({twice.Key}): give each run a "
                    + "table of its own.");
            return [.. Titles.Select(title => byTitle[title].FirstOrDefault())];
        }
    }
}
