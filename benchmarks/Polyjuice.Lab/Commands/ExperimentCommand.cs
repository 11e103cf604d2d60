using System.CommandLine;
using Polyjuice.Lab.Experiments;
using Polyjuice.Lab.Tool.Experiments;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab experiment</c></summary>
internal static class ExperimentCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var command = new Command(
            "experiment",
            "Repeats experiments of the papers: curves with medians and spread, as JSON, SVG and one page of HTML.")
        {
            ExperimentAllCommand.Create(), ExperimentReportCommand.Create(), ExperimentReconCommand.Create(),
            ExperimentTrainerCommand.Create(),
        };
        foreach (var experiment in ExperimentCatalogue.All.Where(
            experiment => experiment.Name != ExperimentReconCommand.Name))
            command.Add(ExperimentNameCommand.Create(experiment));
        return command;
    }

    /// <summary>Runs an experiment, and writes what it came to, also if it is broken off.</summary>
    /// <param name="experiment">Which.</param>
    /// <param name="scale">How long it may take.</param>
    /// <param name="files">Where results go.</param>
    /// <param name="output">For people.</param>
    /// <param name="cancellationToken">Ends early, with what has been measured.</param>
    /// <returns>
    /// Whether every arm was measured and every invariant held. Claims that
    /// do not hold are findings, not failures: they depend on the machine.
    /// </returns>
    public static async Task<bool> RunAsync(
        IExperiment experiment, ExperimentScale scale, ExperimentFiles files, TextWriter output,
        CancellationToken cancellationToken)
    {
        await files.PrepareAsync();
        var result = await ExperimentSession.RunAsync(experiment, scale, output.WriteLine, cancellationToken);
        foreach (var finding in result.Findings) await output.WriteLineAsync(finding.ToString());
        if (result.Failure is { } failure) await output.WriteLineAsync($"{experiment.Name} was broken off: {failure}");
        await files.WriteAsync(result, output);
        return result.IsComplete;
    }
}
