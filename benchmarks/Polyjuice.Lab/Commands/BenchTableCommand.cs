using System.CommandLine;
using System.Text.Json;
using Polyjuice.Lab.Reporting;
using Polyjuice.Lab.Running;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab bench table</c>: how the tables of docs/reference/performance.md are made.</summary>
internal static class BenchTableCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var files = new Argument<string[]>("file")
        {
            Description = "Files that bench --json has written.", Arity = ArgumentArity.OneOrMore
        };
        var arms = Text("--arms", "all", "Only these arms, in this order: policies and engines, separated by commas.");
        var theta = Text("--theta", "all", "Only these skews, separated by commas.");
        var spread = new Option<bool>("--spread")
        {
            Description = "Adds the slowest and the fastest round to each rate, and the share of attempts that aborted."
        };
        var costs = new Option<bool>("--costs")
        {
            Description = "A line for each arm and setting, with latency, processor time, allocation and pauses."
        };
        var shares = new Option<bool>("--shares")
        {
            Description = "A line for each policy: what it makes of the best one's rate, on the average and at worst."
        };
        var svg = new Option<string?>("--svg")
        {
            Description = "Draws the rates over the skew, too: to this file.", HelpName = "file"
        };
        var command = new Command(
            "table", "Prints measurements as a Markdown table: an arm per line, a column for each setting.")
        {
            files, arms, theta, spread, costs, shares, svg
        };
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var rows = new List<BenchmarkRow>();
            foreach (var file in parsed.GetValue(files)!) rows.AddRange(await ReadAsync(file, cancellationToken));
            if (parsed.GetValue(theta) is { } some and not "all")
            {
                var skews = BenchmarkInput.Thetas(some);
                rows = [.. rows.Where(row => skews.Contains(row.Theta))];
            }

            if (parsed.GetValue(arms) is { } list and not "all")
                rows = Choose(rows, [.. CommandInput.Parts(list, arms.Name)], arms.Name);
            if (rows.Count == 0)
                throw new CommandInputException(
                    "No row is left to print: the files hold none, or none with these arms and skews.");
            try
            {
                if (parsed.GetValue(svg) is { } drawing)
                    await File.WriteAllTextAsync(drawing, RatesDrawing.Write(rows), cancellationToken);
                await parsed.InvocationConfiguration.Output.WriteAsync(
                    parsed.GetValue(costs)
                        ? MarkdownTable.Costs(rows)
                        : parsed.GetValue(shares)
                            ? MarkdownTable.Shares(rows)
                            : MarkdownTable.Rates(rows, parsed.GetValue(spread)));
            }
            catch (Exception exception)
                when (exception is ArgumentException or IOException or UnauthorizedAccessException)
            {
                throw new CommandInputException(exception.Message);
            }

            return ExitCodes.Done;
        });
        return command;
    }

    private static List<BenchmarkRow> Choose(List<BenchmarkRow> rows, string[] arms, string option)
    {
        if (arms.FirstOrDefault(arm => rows.All(row => row.Policy != arm)) is { } unknown)
            throw new CommandInputException(
                $"{option}: nothing of '{unknown}' is in the files. There are: "
                + $"{string.Join(", ", rows.Select(row => row.Policy).Distinct())}.");

        // By setting first, as the files have them.
        return [.. rows.GroupBy(
            row => (row.Workload, row.Sizes, row.Silos, row.Logs, row.AppendMs, row.NetworkMs, row.Theta))
            .SelectMany(
                setting => setting.Where(row => arms.Contains(row.Policy))
                    .OrderBy(row => Array.IndexOf(arms, row.Policy)))];
    }

    private static async Task<IReadOnlyList<BenchmarkRow>> ReadAsync(string file, CancellationToken cancellationToken)
    {
        try
        {
            return RowJson.Read(await File.ReadAllTextAsync(file, cancellationToken));
        }
        catch (Exception exception) when (exception is JsonException or IOException or UnauthorizedAccessException)
        {
            throw new CommandInputException($"'{file}' can't be read as rows of bench --json: {exception.Message}");
        }
    }
}
