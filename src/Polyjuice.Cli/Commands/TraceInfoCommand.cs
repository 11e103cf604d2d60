using System.CommandLine;
using Polyjuice.Cli.Traces;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice trace info</c></summary>
internal static class TraceInfoCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var paths = TraceInput.Paths();
        var command = new Command(
            "info", "Says what is in traces: types, sites, what is accessed most, and what is missing.")
        {
            paths
        };
        command.SetAction((parsed, cancellationToken) => EndedEarly.ReadingAsync(
            token =>
            {
                TraceSummary.Print(TraceInput.Read(parsed, paths, token), parsed.InvocationConfiguration.Output);
                return Task.FromResult(ExitCodes.Done);
            },
            parsed.InvocationConfiguration.Error,
            cancellationToken));
        return command;
    }
}
