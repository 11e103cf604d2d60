using System.Globalization;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;
using Spectre.Console;

namespace Polyjuice.Lab.Training;

/// <summary>A learned table beside those that were there, the fastest first, and one sentence about it.</summary>
internal static class LearningTable
{
    /// <summary>Writes both.</summary>
    /// <param name="console">Where to.</param>
    /// <param name="result">What was measured; a row at the least.</param>
    /// <param name="learned">The learned table's name, if one was learned.</param>
    /// <param name="before">Which was in force before.</param>
    public static void Write(IAnsiConsole console, BenchmarkResult result, string? learned, string before)
    {
        var own = result.Rows.FirstOrDefault(row => row.Policy == learned);
        var plan = result.Plan;
        var table = new Table
        {
            Border = TableBorder.Rounded,
            Title = new TableTitle(
                $"{plan.Workload.Name}, {plan.Workload.Describe(plan.Parameters)}: {plan.Clients} clients, medians of {plan.Repeat} intervals".EscapeMarkup())
        };
        table.AddColumn("table");
        foreach (var title in new[]
        {
            "committed/s", "slowest … fastest", "attempts aborted", "p50 ms", "p99 ms", "learned makes"
        })
            table.AddColumn(new TableColumn(title) { Alignment = Justify.Right, NoWrap = true });
        foreach (var row in result.Rows.OrderByDescending(row => row.CommittedPerSecond))
        {
            var name = row.Policy.EscapeMarkup() + (row.Policy == before ? " (in force before)" : "");
            table.AddRow(
                row.Policy == learned ? $"[bold green]{name}[/]" : name, Figures.Rate(row.CommittedPerSecond),
                $"{Figures.Rate(row.CommittedPerSecondMin)} … {Figures.Rate(row.CommittedPerSecondMax)}",
                Figures.Share(row.AbortedShare), Figures.Milliseconds(row.P50Ms), Figures.Milliseconds(row.P99Ms),
                own is null || row == own ? "" : Gain(own, row));
        }

        console.Write(table);
        foreach (var sentence in Sentences(result.Rows, learned)) console.WriteLine(sentence);
    }

    /// <summary>
    /// What was found: the best table beside the best of the others, and beside Orleans' own transactions.
    /// </summary>
    internal static IEnumerable<string> Sentences(IReadOnlyList<BenchmarkRow> rows, string? learned)
    {
        var tables = rows.Where(row => row.Engine == BenchmarkEngine.Polyjuice.Name)
            .OrderByDescending(row => row.CommittedPerSecond).ToList();
        if (tables.Count == 0) yield break;
        var own = tables.FirstOrDefault(row => row.Policy == learned);
        var best = tables.FirstOrDefault(row => row.Policy != learned);
        if (own is not null && best is not null) yield return Sentence(own, best);
        else if (own is null)
            yield return $"The best of these tables is {tables[0].Policy}, with "
                + $"{Figures.Rate(tables[0].CommittedPerSecond)} a second.";
        if (rows.FirstOrDefault(row => row.Engine == BenchmarkEngine.Orleans.Name) is not { } orleans) yield break;
        var first = own ?? tables[0];
        yield return $"Orleans' own transactions, on the same grains, make {Figures.Rate(orleans.CommittedPerSecond)} "
            + $"a second, and {first.Policy} {Figures.Rate(first.CommittedPerSecond)}"
            + (orleans.CommittedPerSecond > 0
                ? $": {Figures.Factor(first.CommittedPerSecond / orleans.CommittedPerSecond)}."
                : ".");
    }

    /// <summary>What was measured, and whether it is more than the intervals differ among themselves.</summary>
    internal static string Sentence(BenchmarkRow own, BenchmarkRow best)
    {
        if (own.CommittedPerSecondMin > best.CommittedPerSecondMax)
            return $"{own.Policy} makes {Gain(own, best)} beside {best.Policy}, the best of the others, and its "
                + "slowest interval more than that one's fastest.";
        return own.CommittedPerSecondMax < best.CommittedPerSecondMin
            ? $"{own.Policy} makes less than {best.Policy} here, though it made more in the race: the load has "
                + "changed, or the machine. Measure for longer (--seconds) before relying on it."
            : $"{own.Policy} makes {Gain(own, best)} beside {best.Policy}, the best of the others; their intervals "
                + "overlap, so measure for longer (--seconds) before relying on it.";
    }

    private static string Gain(BenchmarkRow own, BenchmarkRow other) =>
        other.CommittedPerSecond > 0
            ? ((own.CommittedPerSecond / other.CommittedPerSecond) - 1).ToString(
                "+0%;-0%;±0%", CultureInfo.InvariantCulture)
            : "–";
}
