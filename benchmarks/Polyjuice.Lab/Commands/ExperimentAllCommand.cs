using System.CommandLine;
using System.Diagnostics;
using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Tool.Experiments;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab experiment all</c></summary>
internal static class ExperimentAllCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var options = new ExperimentOptions();
        var only = CommandOptions.Optional(
            "--only",
            $"Names of experiments, separated by commas, instead of all; {ExperimentCatalogue.OverTimeName} stands for "
            + $"{Names(ExperimentCatalogue.OverTime)}. What others came to stays in the report.");
        var command = new Command(
            "all",
            $"Runs one experiment after the other: {Names(ExperimentCatalogue.All)}; with --quick, without "
            + $"{Names(ExperimentCatalogue.OfPublishing)}.")
        {
            only
        };
        options.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var (scale, files, output) =
                (options.ScaleOf(parsed), options.FilesOf(parsed), parsed.InvocationConfiguration.Output);
            var chosen = parsed.GetValue(only) is { } names
                ? [.. CommandInput.Parts(names, only.Name).SelectMany(ExperimentCatalogue.Choose)]
                : ExperimentCatalogue.Of(scale);
            var failed = new List<string>();
            var begun = Stopwatch.GetTimestamp();
            for (var i = 0; i < chosen.Count && !cancellationToken.IsCancellationRequested; i++)
            {
                await output.WriteLineAsync(
                    $"== experiment {i + 1} of {chosen.Count}, {Stopwatch.GetElapsedTime(begun).TotalMinutes:0.0} "
                    + "minutes in");
                if (!await ExperimentCommand.RunAsync(chosen[i], scale, files, output, cancellationToken))
                    failed.Add(chosen[i].Name);
            }

            await output.WriteLineAsync(
                $"{chosen.Count} experiments in {Stopwatch.GetElapsedTime(begun).TotalMinutes:0.0} "
                + $"minutes{(failed.Count > 0 ? $"; not whole: {string.Join(", ", failed)}" : "")}");
            return failed.Count == 0 && !cancellationToken.IsCancellationRequested ? ExitCodes.Done : ExitCodes.No;
        });
        return command;
    }

    private static string Names(IEnumerable<IExperiment> experiments) =>
        string.Join(", ", experiments.Select(static experiment => experiment.Name));
}
