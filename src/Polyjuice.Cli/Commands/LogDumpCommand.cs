using System.CommandLine;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using Polyjuice.Cli.Logs;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice log dump</c></summary>
internal static class LogDumpCommand
{
    private static readonly JsonSerializerOptions s_json = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping
    };

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var data = LogCommand.Data();
        var partition = LogCommand.Partition();
        var from = new Option<long>("--from")
        {
            Description = "Leaves out batches before this position.",
            HelpName = "position",
            DefaultValueFactory = _ => 0
        };
        var noCheckpoint = new Option<bool>("--no-checkpoint") { Description = "Leaves out the checkpoint." };
        var json = new Option<bool>("--json") { Description = "Prints one JSON object per line and record." };
        var command = new Command(
            "dump", "Prints every record: first those of the checkpoint, then those of the batches that are there.")
        {
            data, partition, from, noCheckpoint, json
        };
        command.SetAction((parsed, cancellationToken) =>
        {
            var configuration = parsed.InvocationConfiguration;
            var dump = new Dump(
                configuration.Output,
                configuration.Error,
                parsed.GetValue(json),
                parsed.GetValue(from),
                !parsed.GetValue(noCheckpoint));
            return EndedEarly.ReadingAsync(
                token => dump.RunAsync(parsed.GetValue(data)!, parsed.GetValue(partition), token),
                configuration.Error,
                cancellationToken);
        });
        return command;
    }

    /// <summary>One run of the command.</summary>
    private sealed class Dump(TextWriter output, TextWriter error, bool isJson, long from, bool withCheckpoint)
    {
        private bool _isSound = true;

        public async Task<int> RunAsync(string data, int? partition, CancellationToken cancellationToken)
        {
            await using var source = await LogSource.OpenAsync(data, error, cancellationToken);
            foreach (var one in await source.PartitionsAsync(partition, cancellationToken))
            {
                var report = new LogReport { Partition = one };
                if (withCheckpoint)
                {
                    await foreach (var piece in source.Inspector.ReadCheckpointAsync(one, report, cancellationToken))
                        Print(one, "checkpoint", piece);
                }

                await foreach (var batch in source.Inspector.ReadAsync(one, report, cancellationToken))
                {
                    if (batch.Position >= from) Print(one, "batch", batch);
                }

                foreach (var problem in report.Problems)
                    await error.WriteLineAsync($"{problem.File} at offset {problem.Offset}: {problem.What}");
                _isSound &= report.IsSound;
            }

            return _isSound ? ExitCodes.Done : ExitCodes.No;
        }

        private void Print(int number, string where, in InspectedBatch batch)
        {
            List<LogRecordText> records;
            try
            {
                records = LogRecordText.Read(batch.Bytes.Span);
            }
            catch (Exception exception) when (exception is CodingException or LogVersionException)
            {
                error.WriteLine($"{batch.File} at offset {batch.Offset}: {exception.Message}");
                _isSound = false;
                return;
            }

            foreach (var record in records)
                output.WriteLine(isJson ? Json(number, where, batch, record) : Text(number, where, batch, record));
        }
    }

    private static string Text(int partition, string where, in InspectedBatch batch, LogRecordText record) =>
        $"p{partition} {where} {batch.Position}{(where == "batch" ? $" n{batch.Id.Node}.{batch.Id.Sequence}" : "")}: "
        + $"{record.Kind}{string.Concat(record.Fields.Select(field => $" {field.Key}={Text(field.Value)}"))}";

    private static string Text(object value) => value switch
    {
        bool truth => truth ? "yes" : "no",
        List<object> list => $"[{string.Join("; ", list.Select(Text))}]",
        List<KeyValuePair<string, object>> fields =>
            string.Join(' ', fields.Select(field => $"{field.Key}={Text(field.Value)}")),
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

    private static JsonObject Json(IEnumerable<KeyValuePair<string, object>> fields) =>
        new(fields.Select(field => new KeyValuePair<string, JsonNode?>(field.Key, Json(field.Value))));

    private static JsonNode Json(object value) => value switch
    {
        bool truth => truth,
        long number => number,
        List<object> list => new JsonArray([.. list.Select(Json)]),
        List<KeyValuePair<string, object>> fields => Json(fields),
        _ => value.ToString()!,
    };
}
