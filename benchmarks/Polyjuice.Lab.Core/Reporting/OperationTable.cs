using Polyjuice.Lab.Running;
using Spectre.Console;

namespace Polyjuice.Lab.Reporting;

/// <summary>The table of operations by type, for workloads that tell them apart.</summary>
internal static class OperationTable
{
    public static Table Build(BenchmarkResult result)
    {
        var table = new Table
        {
            Border = TableBorder.Rounded,
            Title = new TableTitle($"{result.Plan.Workload.Name}: by type".EscapeMarkup())
        };
        table.AddColumns("policy", "type");
        foreach (var title in new[]
        {
            "committed/s", "per minute", "p50 ms", "p90 ms", "p99 ms", "attempts aborted", "refused", "given up",
            "in doubt"
        })
            table.AddColumn(new TableColumn(title) { Alignment = Justify.Right, NoWrap = true });
        foreach (var row in result.Rows)
        {
            foreach (var operation in row.Operations.Where(HasHappened))
            {
                table.AddRow(
                    NameOf(result.Plan, row).EscapeMarkup(), operation.Operation.EscapeMarkup(),
                    Figures.Rate(operation.CommittedPerSecond),
                    operation.PerMinute is { } rate
                        ? $"{Figures.Rate(rate)} {operation.PerMinuteName}".EscapeMarkup()
                        : "",
                    Figures.Milliseconds(operation.P50Ms), Figures.Milliseconds(operation.P90Ms),
                    Figures.Milliseconds(operation.P99Ms),
                    $"{operation.Aborts:N0} ({Figures.Share(operation.AbortedShare)})", $"{operation.Declined:N0}",
                    $"{operation.GivenUp:N0}", $"{operation.InDoubt:N0}");
            }

            table.AddEmptyRow();
        }

        return table;
    }

    private static string NameOf(BenchmarkPlan plan, BenchmarkRow row)
    {
        var name = Figures.Clients(row.Policy, plan.ClientCounts.Count > 0 ? row.Clients : null);
        return plan.Thetas.Count > 1 && plan.Workload.HasSkew ? $"{name}, θ {Figures.Theta(row.Theta)}" : name;
    }

    // A workload's mix may have nothing of a type.
    private static bool HasHappened(OperationRow row) =>
        row.CommittedPerSecond > 0 || row.Aborts > 0 || row.Declined > 0 || row.GivenUp > 0 || row.InDoubt > 0;
}
