using System.CommandLine;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice trace …</c></summary>
internal static class TraceCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create() => new(
        "trace",
        "Looks at traces of what transactions access, on which policies are trained, and cuts, merges, hides and "
        + "exports them.")
    {
        TraceInfoCommand.Create(),
        TraceMergeCommand.Create(),
        TraceSliceCommand.Create(),
        TraceAnonymiseCommand.Create(),
        TraceExportCommand.Create(),
    };
}
