using System.CommandLine;
using Polyjuice.Cli.Commands;
using Polyjuice.Cli.Training.Trainer;
using Polyjuice.Training.Cluster.Commands;

namespace Polyjuice.Cli;

/// <summary>The tool's commands.</summary>
internal static class CommandLine
{
    private const string Name = "polyjuice";

    /// <summary>The root of all commands.</summary>
    public static RootCommand Create() => new(
        "Looks at, compares, converts and publishes policy tables, looks at logs and checks them, looks at traces and "
        + "trains policies on them, once or for as long as it runs, and checks the engine in simulation.")
    {
        CheckCommand.Create(),
        PolicyCommand.Create(),
        LogCommand.Create(),
        TrainCommand.Create(new TrainCommandSetup { SourceAt = TraceLocation.AddressOrNone }),
        TrainerCommand.Create(),
        TraceCommand.Create(),
    };

    /// <inheritdoc cref="ToolCommandLine.RunAsync"/>
    public static Task<int> RunAsync(
        string[] args, TextWriter output, TextWriter error, CancellationToken cancellationToken = default) =>
        ToolCommandLine.RunAsync(Create(), Name, args, output, error, cancellationToken);
}
