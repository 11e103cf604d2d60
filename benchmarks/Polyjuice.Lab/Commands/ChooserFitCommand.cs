using System.CommandLine;
using System.Text.Json;
using Polyjuice.Lab.Choosing;
using Polyjuice.Lab.Reporting;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab train chooser fit</c></summary>
internal static class ChooserFitCommand
{
    /// <summary>Of more, none has a line of its own.</summary>
    private const int WorkloadsMax = 20;

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var from = new Argument<string[]>("measurements")
        {
            Description = "Files that 'train chooser measure' has written.", Arity = ArgumentArity.OneOrMore
        };
        var tables = Text(
            "--policy", "",
            "The tables to choose among, separated by commas; all that were measured, if none are named.");
        var file = new Option<string?>("--out", "-o")
        {
            Description = "Writes the model to this file.", HelpName = "file"
        };
        var other = new Option<string?>("--check")
        {
            Description =
                "Another such file: says what the model chooses for its loads, without having been trained on them.",
            HelpName = "file"
        };
        var details = new Option<bool>("--details") { Description = "Prints the choice for each load, too." };
        var command = new Command(
            "fit", "Trains a model, and says what it chooses for workloads that it was not trained on.")
        {
            from, tables, file, other, details
        };
        command.SetAction(async (parsed, _) =>
        {
            var named = parsed.GetValue(tables)!.Split(
                ',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
            var examples = ChoiceExamples.Of(await ReadAsync(parsed.GetValue(from)!), named);
            if (examples.Settings.Select(setting => setting.Workload).Distinct().Count() < 2)
                throw new CommandInputException(
                    "Two workloads at least must have been measured under all tables: one is left out in turn.");
            var output = parsed.InvocationConfiguration.Output;
            var chosen = ChoiceRegret.LeaveOneOut(examples);
            if (parsed.GetValue(details) && parsed.GetValue(other) is null)
                await WriteDetailsAsync(output, examples, chosen);
            await WriteTableAsync(output, examples, chosen);
            if (parsed.GetValue(other) is { } checkedOn)
            {
                var unseen = ChoiceExamples.Of(await ReadAsync([checkedOn]), examples.Tables);
                var there = ChoiceRegret.OfOthers(examples, unseen);
                if (parsed.GetValue(details)) await WriteDetailsAsync(output, unseen, there);
                await WriteTableAsync(output, unseen, there);
            }

            if (parsed.GetValue(file) is { } path)
            {
                var model = ChoiceFit.Fit(examples.Tables, examples.Settings);
                await File.WriteAllTextAsync(
                    CommandInput.OutputFile(path, ".json", file.Name),
                    JsonSerializer.Serialize(model, JsonSerializerOptions.Web) + "\n",
                    CancellationToken.None);
            }

            return ExitCodes.Done;
        });
        return command;
    }

    private static async Task<ChoiceMeasurements> ReadAsync(IEnumerable<string> files)
    {
        var all = new List<ChoiceMeasurements>();
        foreach (var file in files)
        {
            try
            {
                all.Add(await ChoiceMeasurements.ReadAsync(file));
            }
            catch (Exception exception) when (exception is JsonException or IOException or UnauthorizedAccessException)
            {
                throw new CommandInputException(
                    $"'{file}' can't be read as what 'train chooser measure' writes: {exception.Message}");
            }

            if (!all[^1].Counts.SequenceEqual(all[0].Counts))
                throw new CommandInputException($"'{file}' has other counts than the files before it.");
        }

        return all[0] with { Measurements = [.. all.SelectMany(one => one.Measurements)] };
    }

    private static async Task WriteDetailsAsync(
        TextWriter output, ChoiceExamples examples, IReadOnlyList<ChoiceRegret> chosen)
    {
        await output.WriteLineAsync(
            $"| load | {string.Join(" | ", examples.Tables)} | chosen "
            + $"|\n|---|{string.Concat(examples.Tables.Select(_ => "---|"))}---|");
        foreach (var setting in chosen.GroupBy(one => one.Setting))
        {
            var shares = setting.Key.Relative.Select(one => Figures.Percent(Math.Exp(one)));
            await output.WriteLineAsync(
                $"| {setting.Key.Text} | {string.Join(" | ", shares)} | "
                + $"{string.Join(", ", setting.Select(one => one.Chosen).Distinct())} "
                + $"{Figures.Percent(Mean(setting))} |");
        }

        await output.WriteLineAsync();
    }

    private static async Task WriteTableAsync(
        TextWriter output, ChoiceExamples examples, IReadOnlyList<ChoiceRegret> chosen)
    {
        await output.WriteLineAsync(
            $"| of the best, {examples.Settings.Count} loads | geometric mean | worst | where |\n|---|---|---|---|");
        var workloads = chosen.GroupBy(one => one.Setting.Workload).ToList();
        foreach (var workload in workloads.Count <= WorkloadsMax ? workloads : [])
            await WriteLineAsync($"chosen, {workload.Key} left out", [.. workload]);
        await WriteLineAsync("chosen, all of these", chosen);
        foreach (var table in examples.Tables) await WriteLineAsync(table, ChoiceRegret.OfTable(examples, table));

        Task WriteLineAsync(string name, IReadOnlyList<ChoiceRegret> all)
        {
            var worst = all.MinBy(one => one.Share)!;
            return output.WriteLineAsync(
                $"| {name} | {Figures.Percent(Mean(all))} | {Figures.Percent(worst.Share)} | {worst.Setting.Text} |");
        }
    }

    private static double Mean(IEnumerable<ChoiceRegret> all) => all.Select(static one => one.Share).GeometricMean();
}
