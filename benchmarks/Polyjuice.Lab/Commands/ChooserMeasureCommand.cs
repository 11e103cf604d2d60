using System.CommandLine;
using System.Globalization;
using Polyjuice.Agents;
using Polyjuice.Lab.Choosing;
using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Tool.Choosing;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab train chooser measure</c></summary>
internal static class ChooserMeasureCommand
{
    private const int LinesEvery = 25;
    private const string Tables = "occ,locking,ic3,dirty-public,sundial,2pl-wound-wait,cormcc,reserve";

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var tables = Text("--policy", Tables, "The tables to measure, separated by commas.");
        var settle = Text("--settle-seconds", "0.5", "How long a table is in force before it is measured.");
        var measured = Text("--seconds", "0.7", "How long it is measured.");
        var rounds = Text("--rounds", "2", "Intervals of each table under each load.");
        var clients = Text("--clients", "64", "Clients of the closed loop.");
        var seed = Text("--seed", "7", "Of all random choices.");
        var only = new Option<string?>("--workload") { Description = "One workload alone, by its name; for a look." };
        var drawn = Text(
            "--drawn", "0", "Instead of the grid: so many applications that are drawn at random, in virtual time.");
        var transactions = Text("--drawn-transactions", "500", "Transactions of each measurement of those.");
        var file = new Option<string>("--out", "-o")
        {
            Description = "Writes the measurements here, after each load.", HelpName = "file", Required = true
        };
        var command = new Command(
            "measure", "Measures every table under every load of the grid, and what silos count meanwhile.")
        {
            tables, settle, measured, rounds, clients, seed, only, drawn, transactions, file,
        };
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var path = CommandInput.OutputFile(parsed.GetRequiredValue(file), ".json", file.Name);
            var output = parsed.InvocationConfiguration.Output;
            var from = (ulong)parsed.Whole(seed, 0, int.MaxValue);
            if (parsed.Whole(drawn, 0, 1_000_000) is > 0 and var count)
            {
                var loadsOf = new DrawnLoads(
                    CommandInput.Policies(parsed.GetValue(tables)!), parsed.Whole(transactions, 50, 1_000_000));
                await MeasureDrawnAsync(loadsOf, count, from, path, output, cancellationToken);
                return ExitCodes.Done;
            }

            var run = new ChoiceRun(
                BenchmarkClusters.StartAsync, CommandInput.Policies(parsed.GetValue(tables)!),
                TimeSpan.FromSeconds(parsed.Number(settle, 0, 60)),
                TimeSpan.FromSeconds(parsed.Number(measured, 0.05, 60)), parsed.Whole(rounds, 1, 100),
                parsed.Whole(clients, 1, 100_000), from);
            var found = new List<ChoiceMeasurement>();
            var loads = ChoiceGrid.Loads(from);
            if (parsed.GetValue(only) is { } name) loads = [.. loads.Where(load => load.Workload.Name == name)];
            foreach (var (index, load) in loads.Index())
            {
                found.AddRange(await run.MeasureAsync(load, cancellationToken));
                await new ChoiceMeasurements(LoadCounts.Names, found).WriteAsync(path);
                await output.WriteLineAsync(string.Create(
                    CultureInfo.InvariantCulture,
                    $"{index + 1} of {loads.Count}: {load.Workload.Name}, {load.Phases.Count} phase(s), {found.Count} "
                    + $"measurements so far"));
                if (cancellationToken.IsCancellationRequested) break;
            }

            return ExitCodes.Done;
        });
        return command;
    }

    private static async Task MeasureDrawnAsync(
        DrawnLoads loads, int count, ulong from, string path, TextWriter output, CancellationToken cancellationToken)
    {
        var found = new List<ChoiceMeasurement>();
        for (var i = 0; i < count && !cancellationToken.IsCancellationRequested; i++)
        {
            found.AddRange(loads.Measure(from + (ulong)i));
            if ((i + 1) % LinesEvery != 0 && i + 1 < count) continue;
            await new ChoiceMeasurements(LoadCounts.Names, found).WriteAsync(path);
            await output.WriteLineAsync(string.Create(CultureInfo.InvariantCulture, $"{i + 1} of {count}"));
        }
    }
}
