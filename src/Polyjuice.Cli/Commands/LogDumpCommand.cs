using System.CommandLine;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using Polyjuice.Commit;
using Polyjuice.Hosting;
using Polyjuice.Storage;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice log dump</c></summary>
internal static class LogDumpCommand
{
    private static readonly JsonSerializerOptions s_json = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var data = LogCommand.Data();
        var partition = LogCommand.Partition();
        var from = new Option<long>("--from") { Description = "Leaves out batches before this position.", HelpName = "position", DefaultValueFactory = _ => 0 };
        var noCheckpoint = new Option<bool>("--no-checkpoint") { Description = "Leaves out the checkpoint." };
        var json = new Option<bool>("--json") { Description = "Prints one JSON object per line and record." };
        var command = new Command("dump", "Prints every record: first those of the checkpoint, then those of the batches that are there.") { data, partition, from, noCheckpoint, json };
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var inspector = await LogInspector.OpenFilesAsync(parsed.GetValue(data)!, cancellationToken);
            var output = parsed.InvocationConfiguration.Output;
            var isSound = true;
            foreach (var one in LogCommand.Partitions(parsed.GetValue(partition), inspector.PartitionCount))
            {
                var report = new LogReport { Partition = one };
                if (!parsed.GetValue(noCheckpoint))
                {
                    await foreach (var piece in inspector.ReadCheckpointAsync(one, report, cancellationToken)) Print(one, "checkpoint", piece);
                }

                await foreach (var batch in inspector.ReadAsync(one, report, cancellationToken))
                {
                    if (batch.Position >= parsed.GetValue(from)) Print(one, "batch", batch);
                }

                foreach (var problem in report.Problems) await parsed.InvocationConfiguration.Error.WriteLineAsync($"{problem.File} at offset {problem.Offset}: {problem.What}");
                isSound &= report.IsSound;
            }

            return isSound ? ExitCodes.Done : ExitCodes.No;

            void Print(int number, string where, in InspectedBatch batch)
            {
                List<LogRecordText> records;
                try
                {
                    records = LogRecordText.Read(batch.Bytes.Span);
                }
                catch (Exception exception) when (exception is CodingException or LogVersionException)
                {
                    parsed.InvocationConfiguration.Error.WriteLine($"{batch.File} at offset {batch.Offset}: {exception.Message}");
                    isSound = false;
                    return;
                }

                foreach (var record in records) output.WriteLine(parsed.GetValue(json) ? Json(number, where, batch, record) : Text(number, where, batch, record));
            }
        });
        return command;
    }

    private static string Text(int partition, string where, in InspectedBatch batch, LogRecordText record) =>
        $"p{partition} {where} {batch.Position}{(where == "batch" ? $" n{batch.Id.Node}.{batch.Id.Sequence}" : "")}: {record.Kind}{string.Concat(record.Fields.Select(field => $" {field.Key}={Text(field.Value)}"))}";

    private static string Text(object value) => value switch
    {
        bool truth => truth ? "yes" : "no",
        List<object> list => $"[{string.Join("; ", list.Select(Text))}]",
        List<KeyValuePair<string, object>> fields => string.Join(' ', fields.Select(field => $"{field.Key}={Text(field.Value)}")),
        _ => value.ToString()!,
    };

    private static string Json(int partition, string where, in InspectedBatch batch, LogRecordText record)
    {
        var line = new JsonObject { ["partition"] = partition, [where] = batch.Position };
        if (where == "batch") line["by"] = $"n{batch.Id.Node}.{batch.Id.Sequence}";
        line["kind"] = record.Kind.ToString();
        line["fields"] = Json(record.Fields);
        return line.ToJsonString(s_json);
    }

    private static JsonObject Json(IEnumerable<KeyValuePair<string, object>> fields) => new(fields.Select(field => new KeyValuePair<string, JsonNode?>(field.Key, Json(field.Value))));

    private static JsonNode Json(object value) => value switch
    {
        bool truth => truth,
        long number => number,
        List<object> list => new JsonArray([.. list.Select(Json)]),
        List<KeyValuePair<string, object>> fields => Json(fields),
        _ => value.ToString()!,
    };
}
