using System.CommandLine;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice trace merge</c></summary>
internal static class TraceMergeCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var paths = TraceInput.Paths();
        var file = TraceInput.Out("The merged trace.");
        var command = new Command("merge", "Merges what the silos of a cluster have recorded into one trace.")
        {
            paths, file
        };
        command.SetAction((parsed, cancellationToken) => EndedEarly.ReadingAsync(
            token => TraceInput.WriteAsync(
                TraceInput.Read(parsed, paths, token).Trace,
                parsed.GetValue(file)!,
                parsed.InvocationConfiguration.Output,
                token),
            parsed.InvocationConfiguration.Error,
            cancellationToken));
        return command;
    }
}
