using System.CommandLine;

namespace Polyjuice.Lab.Tool.Commands;

/// <summary><c>polyjuice-lab trace …</c></summary>
internal static class TraceCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create() => new(
        "trace",
        "Records workloads, makes recorded calls again, and says what recording costs and how far replays can "
        + "be trusted.")
    {
        TraceRecordCommand.Create(),
        TraceReplayCommand.Create(),
        TraceValidateCommand.Create(),
        TraceCostCommand.Create(),
    };
}
