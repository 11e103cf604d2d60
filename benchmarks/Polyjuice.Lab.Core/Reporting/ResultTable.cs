using System.Globalization;
using Polyjuice.Contracts;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Waits;
using Spectre.Console;

namespace Polyjuice.Lab.Reporting;

/// <summary>The final table, and the sentences beneath it.</summary>
internal static class ResultTable
{
    /// <summary>Writes both.</summary>
    public static void Write(IAnsiConsole console, BenchmarkResult result)
    {
        if (result.Rows.Count == 0)
        {
            console.MarkupLine("Nothing was measured long enough to report.");
            return;
        }

        console.Write(Build(result));
        if (result.Plan.Workload.OperationTypes.Count > 0) console.Write(OperationTable.Build(result));
        foreach (var line in Remarks(result)) console.WriteLine(line);
    }

    private static Table Build(BenchmarkResult result)
    {
        var plan = result.Plan;
        var load = plan.Rate is { } rate
            ? $"{Figures.Rate(rate)} arrivals/s, "
            : plan.ClientCounts.Count > 0 ? "" : $"{plan.Clients} clients, ";
        var title = $"{plan.Workload.Name}: {plan.Shape.Silos} silos, {load}{plan.Workload.Describe(plan.Parameters)}";
        var table = new Table { Border = TableBorder.Rounded, Title = new TableTitle(title.EscapeMarkup()) };
        table.AddColumn("θ");
        table.AddColumn("policy");
        foreach (var column in new[]
        {
            plan.Workload.HasTransactions ? "committed/s" : "calls/s", "of the best", "aborted", "p50 ms", "p95 ms",
            "p99 ms", "retries/tx", "cpu µs/tx", "KiB/tx", "GC pauses", "tax"
        })
            table.AddColumn(new TableColumn(column) { Alignment = Justify.Right, NoWrap = true });
        table.AddColumn("aborted why");
        foreach (var group in result.Rows.GroupBy(row => row.Theta))
        {
            var best = group.Where(row => row.Engine != BenchmarkEngine.Plain.Name)
                .Select(row => row.CommittedPerSecond)
                    .DefaultIfEmpty().Max();
            foreach (var row in group)
            {
                var name = Figures.Clients(row.Policy, plan.ClientCounts.Count > 0 ? row.Clients : null).EscapeMarkup();
                table.AddRow(
                    Figures.Theta(row.Theta),
                    row.CommittedPerSecond == best && group.Count() > 1 ? $"[bold green]{name}[/]" : name,
                    Throughput(row), OfBest(row), Figures.Share(row.AbortedShare), Figures.Milliseconds(row.P50Ms),
                    Figures.Milliseconds(row.P95Ms), Figures.Milliseconds(row.P99Ms),
                    row.RetriesPerTransaction.ToString("0.00", CultureInfo.InvariantCulture),
                    row.CpuMicrosecondsPerTransaction.ToString("N0", CultureInfo.InvariantCulture),
                    (row.AllocatedBytesPerTransaction / 1_024).ToString("N1", CultureInfo.InvariantCulture),
                    Figures.Share(row.GcPauseShare), Tax(row),
                    Figures.Reasons(row.AbortsByReason, nameof(AbortReason.UserException)).EscapeMarkup());
            }

            table.AddEmptyRow();
        }

        return table;
    }

    // In throughput, and in processor time.
    private static string Tax(BenchmarkRow row) =>
        row.CpuTax is { } cpu ? $"{Figures.Factor(row.Tax)}, {Figures.Factor(cpu)} cpu" : Figures.Factor(row.Tax);

    private static string Throughput(BenchmarkRow row) => row.Repeat == 1
        ? Figures.Rate(row.CommittedPerSecond)
        : $"{Figures.Rate(row.CommittedPerSecond)} ({Figures.Rate(row.CommittedPerSecondMin)} … "
            + $"{Figures.Rate(row.CommittedPerSecondMax)})";

    // Of the same round, so that a machine which is slower for a while does not count.
    private static string OfBest(BenchmarkRow row) => row.ShareOfBest is { } share
        ? string.Create(
            CultureInfo.InvariantCulture, $"{share:0.00} ({row.ShareOfBestMin:0.00} … {row.ShareOfBestMax:0.00})")
        : "–";

    private static IEnumerable<string> BesideOrleans(IReadOnlyList<BenchmarkRow> rows)
    {
        foreach (var group in rows.GroupBy(row => row.Theta))
        {
            var best = group.Where(row => row.Engine == BenchmarkEngine.Polyjuice.Name)
                .MaxBy(row => row.CommittedPerSecond);
            var own = group.Where(row => row.Engine.StartsWith(BenchmarkEngine.Orleans.Name, StringComparison.Ordinal))
                .MaxBy(row => row.CommittedPerSecond);
            if (best is null || own is null) continue;
            yield return $"Beside Orleans' own transactions at θ {Figures.Theta(group.Key)}: {best.Policy} makes "
                + $"{Figures.Rate(best.CommittedPerSecond)}/s, {own.Policy} {Figures.Rate(own.CommittedPerSecond)}/s"
                + (own.CommittedPerSecond > 0
                    ? $": {Figures.Factor(best.CommittedPerSecond / own.CommittedPerSecond)}."
                    : ".");
        }
    }

    private static IEnumerable<string> PlainIs(BenchmarkResult result)
    {
        if (!result.Rows.Any(row => row.Engine == BenchmarkEngine.Plain.Name)) yield break;
        yield return result.Plan.Workload.HasPlainTwins
            ? "plain: the workload's plain twins, the same calls on grains without transactions."
            : "plain: the same grain code without isolation, atomicity and durability; a bound, and no alternative.";
    }

    private static IEnumerable<string> Remarks(BenchmarkResult result)
    {
        var rows = result.Rows.Where(row => row.Engine == BenchmarkEngine.Polyjuice.Name).ToList();
        foreach (var line in BesideOrleans(result.Rows)) yield return line;
        foreach (var line in PlainIs(result)) yield return line;
        foreach (var group in rows.Where(r => r.Tax is not null).GroupBy(r => r.Theta))
        {
            var best = group.MaxBy(r => r.CommittedPerSecond)!;
            yield return $"Transaction tax at θ {Figures.Theta(group.Key)}: {Figures.Factor(best.Tax)} under "
                + $"{best.Policy} ({Figures.Rate(best.PlainPerSecond!.Value)} plain calls/s of the same call tree ÷ "
                + $"{Figures.Rate(best.CommittedPerSecond)} transactions/s).";
        }

        var uniform = rows.Where(r => r.Theta == 0).MaxBy(r => r.CommittedPerSecond);
        foreach (var group in rows.Where(r => r.Theta > 0).GroupBy(r => r.Theta))
        {
            var best = group.MaxBy(r => r.CommittedPerSecond)!;
            if (uniform is { CommittedPerSecond: > 0 })
                yield return $"Best under skew θ {Figures.Theta(group.Key)}: {best.Policy}, "
                    + $"{Figures.Share(best.CommittedPerSecond / uniform.CommittedPerSecond)} of the best uniform "
                    + $"throughput ({uniform.Policy}).";
        }

        if (rows.Count > 0 && result.Plan.Workload.HasTransactions)
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"Log per committed transaction: {rows.Min(r => r.AppendsPerTransaction):0.000} … "
                + $"{rows.Max(r => r.AppendsPerTransaction):0.000} appends, "
                + $"{rows.Min(r => r.LogBytesPerTransaction):N0} … {rows.Max(r => r.LogBytesPerTransaction):N0} bytes; "
                + $"{rows.Sum(r => r.Checkpoints)} checkpoints. p99.9: {rows.Min(r => r.P999Ms):0.0} … "
                + $"{rows.Max(r => r.P999Ms):0.0} ms.");
        }

        yield return $"Waits ended by their deadline: {rows.Sum(r => r.WaitsEndedByDeadline)}. Refused by the "
            + $"application: {rows.Sum(r => r.Declined):N0} of {rows.Sum(r => r.Committed + r.Declined):N0} "
            + $"operations; given up by the system: {rows.Sum(r => r.GivenUp):N0}; turned away as overloaded: "
            + $"{rows.Sum(r => r.Overloaded):N0}; in doubt: {rows.Sum(r => r.InDoubt):N0}.";
        var broken = result.Broken;
        if (broken.Count == 0)
            yield return $"Checked {result.Checks.Count} times, after every interval: "
                + $"{result.Checks[^1].Check.Description}.";
        foreach (var (arm, check) in broken) yield return $"{arm.Label}, θ {Figures.Theta(arm.Theta)}: "
            + $"{check.Description}";
    }
}
