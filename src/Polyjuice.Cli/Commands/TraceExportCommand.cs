using System.CommandLine;
using System.Text;
using Polyjuice.Benchmarking.Running;
using Polyjuice.Cli.Traces;
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
        var format = CommandOptions.Text("--format", Json, $"{Json}: a JSON object for each transaction, a line each. {Csv}: a line for each access.");
        var command = new Command("export", "Writes a trace for other tools, as JSON lines or CSV.") { paths, file, format };
        command.SetAction((parsed, cancellationToken) =>
        {
            var kind = parsed.GetValue(format);
            if (kind is not (Json or Csv)) throw new BenchmarkInputException($"{format.Name}: \"{kind}\" is not a format. Valid: {Json}, {Csv}.");
            return LogCommand.RunAsync(
                async token =>
                {
                    var trace = TraceInput.Read(parsed, paths, token).Trace;
                    await WriteAsync(trace, kind, parsed.GetValue(file)!, token);
                    await parsed.InvocationConfiguration.Output.WriteLineAsync(
                        FormattableString.Invariant($"{trace.Transactions.Length:n0} transactions with {trace.Accesses.Length:n0} accesses in {parsed.GetValue(file)}"));
                    return ExitCodes.Done;
                },
                parsed.InvocationConfiguration.Error,
                cancellationToken);
        });
        return command;
    }

    private static async Task WriteAsync(AccessTrace trace, string kind, string path, CancellationToken cancellationToken)
    {
        var unfinished = path + ".part";
        try
        {
            await using (var stream = new FileStream(unfinished, FileMode.Create, FileAccess.Write, FileShare.None, 1 << 16))
            {
                if (kind == Json)
                {
                    TraceExport.JsonLines(trace, stream, cancellationToken);
                }
                else
                {
                    await using var text = new StreamWriter(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false));
                    TraceExport.Csv(trace, text, cancellationToken);
                }
            }

            File.Move(unfinished, path, overwrite: true);
        }
        catch
        {
            File.Delete(unfinished);
            throw;
        }
    }
}
