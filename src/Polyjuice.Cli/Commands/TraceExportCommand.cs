using System.Globalization;
using System.CommandLine;
using System.Text;
using Polyjuice.Cli.Traces;
using Polyjuice.Training.Files;
using Polyjuice.Training.Traces;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice trace export</c></summary>
internal static class TraceExportCommand
{
    private const string Json = "jsonl";
    private const string Csv = "csv";

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var paths = TraceInput.Paths();
        var file = TraceInput.Out("The file to write, in place of what is there.");
        var format = CommandOptions.Text(
            "--format",
            Json,
            $"{Json}: a JSON object for each transaction, a line each. {Csv}: a line for each access.");
        var calls = new Option<bool>("--calls")
        {
            Description =
                "With the calls that transactions began with, and their arguments as base64, if they were recorded; "
                + $"only {Json}. Arguments may be personal data."
        };
        var command = new Command("export", "Writes a trace for other tools, as JSON lines or CSV.")
        {
            paths, file, format, calls
        };
        command.SetAction((parsed, cancellationToken) =>
        {
            var kind = parsed.GetValue(format);
            if (kind is not (Json or Csv))
                throw new CommandInputException($"{format.Name}: \"{kind}\" is not a format. Valid: {Json}, {Csv}.");
            if (parsed.GetValue(calls) && kind != Json)
                throw new CommandInputException(
                    $"{calls.Name}: a line of {Csv} is an access, and has no place for a call. Use "
                    + $"{format.Name} {Json}.");
            return EndedEarly.ReadingAsync(
                async token =>
                {
                    var trace = TraceInput.Read(parsed, paths, token).Trace;
                    if (parsed.GetValue(calls) && trace.Calls.IsEmpty)
                        throw new CommandInputException(
                            $"{calls.Name}: the trace has no calls. Silos record them if "
                            + "PolyjuiceOptions.Trace.RecordsCalls is set ('Polyjuice:Trace:RecordsCalls').");
                    await WriteAsync(trace, kind, parsed.GetValue(calls), parsed.GetValue(file)!, token);
                    await parsed.InvocationConfiguration.Output.WriteLineAsync(
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"{trace.Transactions.Length:n0} transactions with {trace.Accesses.Length:n0} accesses in "
                            + $"{parsed.GetValue(file)}"));
                    return ExitCodes.Done;
                },
                parsed.InvocationConfiguration.Error,
                cancellationToken);
        });
        return command;
    }

    private static Task WriteAsync(
        AccessTrace trace, string kind, bool withCalls, string path, CancellationToken cancellationToken) =>
        WholeFile.WriteAsync(path, async stream =>
        {
            if (kind == Json)
            {
                TraceExport.JsonLines(trace, withCalls, stream, cancellationToken);
                return;
            }

            await using var text = new StreamWriter(
                stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), leaveOpen: true);
            TraceExport.Csv(trace, text, cancellationToken);
        });
}
