using System.CommandLine;
using Polyjuice.Training.Traces;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice trace slice</c></summary>
internal static class TraceSliceCommand
{
    private const double MicrosecondsPerSecond = 1e6;
    private const double SecondsMax = 1e9;

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var paths = TraceInput.Paths();
        var file = TraceInput.Out("The part, as one trace.");
        var from = CommandOptions.Text("--from", "0", "Where it begins, in seconds since the trace's start.");
        var until = CommandOptions.Optional(
            "--to", "Where it ends, in seconds since the trace's start. Default: the trace's end.");
        var command = new Command("slice", "Takes the transactions that arrived within some time out of a trace.")
        {
            paths, file, from, until
        };
        command.SetAction((parsed, cancellationToken) =>
        {
            var start = parsed.Number(from, 0, SecondsMax);
            double? end = parsed.NumberOrNone(until, 0, SecondsMax);
            return EndedEarly.ReadingAsync(
                token =>
                {
                    var trace = TraceInput.Read(parsed, paths, token).Trace;
                    var slice = trace.Slice(
                        Microseconds(start), end is { } seconds ? Microseconds(seconds) : long.MaxValue);
                    return TraceInput.WriteAsync(
                        slice, parsed.GetValue(file)!, parsed.InvocationConfiguration.Output, token);
                },
                parsed.InvocationConfiguration.Error,
                cancellationToken);
        });
        return command;
    }

    // Rounded: what was typed with six digits is that microsecond, and not the one before it.
    private static long Microseconds(double seconds) => (long)Math.Round(seconds * MicrosecondsPerSecond);
}
