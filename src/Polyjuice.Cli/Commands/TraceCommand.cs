using System.CommandLine;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice trace …</c></summary>
internal static class TraceCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create() => new("trace", "Records what transactions access, looks at such traces, which policies are trained on, and makes recorded calls again.")
    {
        TraceRecordCommand.Create(),
        TraceInfoCommand.Create(),
        TraceMergeCommand.Create(),
        TraceSliceCommand.Create(),
        TraceAnonymiseCommand.Create(),
        TraceExportCommand.Create(),
        TraceReplayCommand.Create(),
        TraceValidateCommand.Create(),
        TraceCostCommand.Create(),
    };
}
