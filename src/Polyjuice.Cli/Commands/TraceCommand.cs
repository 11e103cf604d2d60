using System.CommandLine;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice trace …</c></summary>
internal static class TraceCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create() => new("trace", "Records what transactions access, and looks at such traces: what policies are trained on.")
    {
        TraceRecordCommand.Create(),
        TraceInfoCommand.Create(),
        TraceMergeCommand.Create(),
        TraceSliceCommand.Create(),
        TraceAnonymiseCommand.Create(),
        TraceExportCommand.Create(),
        TraceValidateCommand.Create(),
        TraceCostCommand.Create(),
    };
}
