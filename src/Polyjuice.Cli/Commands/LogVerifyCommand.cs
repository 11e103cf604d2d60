using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Nodes;
using Polyjuice.Cli.Logs;
using Polyjuice.Storage;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice log verify</c></summary>
internal static class LogVerifyCommand
{
    /// <summary>The command.</summary>
    public static Command Create()
    {
        var data = LogCommand.Data();
        var partition = LogCommand.Partition();
        var json = new Option<bool>("--json") { Description = "Prints a JSON array of reports." };
        var command = new Command(
            "verify", "Reads every batch and checkpoint, and names file and offset of everything that is wrong.")
        {
            data, partition, json
        };
        command.SetAction((parsed, cancellationToken) =>
        {
            var (output, error) = (parsed.InvocationConfiguration.Output, parsed.InvocationConfiguration.Error);
            return EndedEarly.ReadingAsync(
                token => VerifyAsync(
                    parsed.GetValue(data)!, parsed.GetValue(partition), parsed.GetValue(json), output, error, token),
                error, cancellationToken);
        });
        return command;
    }

    private static async Task<int> VerifyAsync(
        string data, int? partition, bool isJson, TextWriter output, TextWriter error,
        CancellationToken cancellationToken)
    {
        await using var source = await LogSource.OpenAsync(data, error, cancellationToken);
        var reports = new List<LogReport>();
        foreach (var one in await source.PartitionsAsync(partition, cancellationToken))
        {
            var report = await source.Inspector.VerifyAsync(one, cancellationToken);
            reports.Add(report);
            if (!isJson) Print(report, output);
        }

        if (isJson)
            await output.WriteLineAsync(
                new JsonArray([.. reports.Select(Json)]).ToJsonString(new JsonSerializerOptions
                {
                    WriteIndented = true
                }));
        return reports.TrueForAll(report => report.IsSound) ? ExitCodes.Done : ExitCodes.No;
    }

    private static void Print(LogReport report, TextWriter output)
    {
        var checkpoint = report.Checkpoint is { } position
            ? $"checkpoint of {position} batches ({report.CheckpointRecords} records, {report.CheckpointBytes} bytes)"
            : "no checkpoint";
        output.WriteLine(
            $"partition {report.Partition}: {(report.IsSound ? "sound" : "DAMAGED")}; batches {report.First} to "
            + $"{report.End - 1} in {report.Segments} segment(s), {report.Records} records, {report.Bytes} bytes; "
            + $"{checkpoint}");
        foreach (var problem in report.Problems)
            output.WriteLine(
                $"  {problem.File} at offset {problem.Offset}: "
                + $"{problem.What}{(problem.IsTornTail ? " (an append that was interrupted; it was never answered, and is cut when the log is opened)" : "")}");
    }

    private static JsonNode Json(LogReport report) => new JsonObject
    {
        ["partition"] = report.Partition,
        ["sound"] = report.IsSound,
        ["first"] = report.First,
        ["end"] = report.End,
        ["segments"] = report.Segments,
        ["records"] = report.Records,
        ["bytes"] = report.Bytes,
        ["checkpoint"] = report.Checkpoint,
        ["checkpointRecords"] = report.CheckpointRecords,
        ["checkpointBytes"] = report.CheckpointBytes,
        ["problems"] = new JsonArray([.. report.Problems.Select(problem => new JsonObject
        {
            ["file"] = problem.File,
            ["offset"] = problem.Offset,
            ["what"] = problem.What,
            ["tornTail"] = problem.IsTornTail,
        })]),
    };
}
