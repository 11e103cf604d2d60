using System.Buffers;
using System.Text;
using System.Text.Json;

namespace Polyjuice.Isolation;

/// <summary>Writes histories as <see cref="HistoryReader"/> reads them. Not thread-safe.</summary>
/// <param name="text">Where to; it stays open. If a write to it throws, the last line may be there in part.</param>
internal sealed class HistoryWriter(TextWriter text)
{
    private readonly TextWriter _text = text ?? throw new ArgumentNullException(nameof(text));
    private readonly ArrayBufferWriter<byte> _line = new();

    /// <summary>Writes a whole history to a file, replacing what was there.</summary>
    /// <param name="path">The file.</param>
    /// <param name="operations">The history, in its order.</param>
    /// <exception cref="IOException">The file cannot be written; what is there then is not a whole history.</exception>
    public static void Write(string path, IEnumerable<Operation> operations)
    {
        ArgumentNullException.ThrowIfNull(operations);
        using var file = File.CreateText(path);
        var writer = new HistoryWriter(file);
        foreach (var operation in operations) writer.Write(operation);
    }

    /// <summary>Writes one line.</summary>
    /// <param name="operation">What is written.</param>
    public void Write(Operation operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        _line.ResetWrittenCount();
        using (var json = new Utf8JsonWriter(_line))
        {
            json.WriteStartObject();
            json.WriteNumber("index", operation.Index);
            json.WriteString("type", operation.Type switch
            {
                OperationType.Invoke => "invoke",
                OperationType.Ok => "ok",
                OperationType.Fail => "fail",
                _ => "info",
            });
            json.WriteNumber("process", operation.Process);
            json.WriteNumber("time", operation.Time);
            json.WriteString("f", operation.Function);
            json.WriteStartArray("value");
            foreach (var op in operation.Value) Write(json, op);
            json.WriteEndArray();
            json.WriteEndObject();
        }

        _text.Write(Encoding.UTF8.GetString(_line.WrittenSpan));
        _text.Write('\n');
    }

    private static void Write(Utf8JsonWriter json, MicroOp op)
    {
        json.WriteStartArray();
        json.WriteStringValue(op.Kind switch { MicroOpKind.Append => "append", MicroOpKind.Write => "w", _ => "r" });
        if (op.Key.Text is { } text) json.WriteStringValue(text);
        else json.WriteNumberValue(op.Key.Number);
        if (op.List is { } list)
        {
            json.WriteStartArray();
            foreach (var element in list) json.WriteNumberValue(element);
            json.WriteEndArray();
        }
        else if (op.Value is { } value)
        {
            json.WriteNumberValue(value);
        }
        else
        {
            json.WriteNullValue();
        }

        json.WriteEndArray();
    }
}
