using System.CommandLine;
using Polyjuice.Lab.Tool.Commands;

namespace Polyjuice.Lab.Tool;

/// <summary>The laboratory's commands.</summary>
internal static class LabCommandLine
{
    /// <summary>What it is called.</summary>
    public const string Name = "polyjuice-lab";

    /// <summary>The root of all commands.</summary>
    public static RootCommand Create() => new(
        "The laboratory: measures policy tables, Orleans' own transactions and plain grains on workloads, repeats the "
        + "papers' experiments, and says what traces and trainings are worth.")
    {
        BenchCommand.Create(),
        ExperimentCommand.Create(),
        CheckCommand.Create(),
        KillCommand.Create(),
        SiloCommand.Create(),
        TraceCommand.Create(),
        TrainCommand.Create(),
        PolicyCommand.Create(),
    };

    /// <inheritdoc cref="ToolCommandLine.RunAsync"/>
    public static Task<int> RunAsync(
        string[] args, TextWriter output, TextWriter error, CancellationToken cancellationToken = default) =>
        ToolCommandLine.RunAsync(Create(), Name, args, output, error, cancellationToken);
}
