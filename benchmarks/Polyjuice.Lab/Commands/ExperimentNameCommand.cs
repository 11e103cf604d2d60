using System.CommandLine;
using Polyjuice.Lab.Experiments;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab experiment NAME</c></summary>
internal static class ExperimentNameCommand
{
    /// <summary>The command for an experiment.</summary>
    public static Command Create(IExperiment experiment)
    {
        var options = new ExperimentOptions();
        var command = new Command(experiment.Name, experiment.Description);
        options.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) => await ExperimentCommand.RunAsync(
            experiment,
            options.ScaleOf(parsed),
            options.FilesOf(parsed),
            parsed.InvocationConfiguration.Output,
            cancellationToken)
                ? ExitCodes.Done
                : ExitCodes.No);
        return command;
    }
}
