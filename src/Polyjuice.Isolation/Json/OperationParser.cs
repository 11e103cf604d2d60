using System.Text.Json;

namespace Polyjuice.Isolation;

/// <summary>One line of a history.</summary>
internal static class OperationParser
{
    private static readonly JsonDocumentOptions Strict = new() { AllowDuplicateProperties = false, MaxDepth = 8 };

    public static Operation Parse(string content, long line)
    {
        try
        {
            using var document = JsonDocument.Parse(content, Strict);
            return Operation(document.RootElement);
        }
        catch (JsonException malformed)
        {
            throw HistoryException.AtLine(line, "line", $"is not one JSON object: {malformed.Message}", malformed);
        }
        catch (FieldException refusal)
        {
            throw HistoryException.AtLine(line, refusal.Field, refusal.Message);
        }
    }

    private static Operation Operation(JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object)
            throw new FieldException("line", $"is {Name(root)}; write one object on each line");
        foreach (var property in root.EnumerateObject())
        {
            if (property.Name is not ("index" or "type" or "process" or "time" or "f" or "value" or "error"))
                throw new FieldException(
                    property.Name,
                    "is not a field of an operation; there are index, type, process, time, f, value and error");
        }

        var type = Type(Text(root, "type"));
        var f = Text(root, "f");
        if (f != "txn") throw new FieldException("f", $"is '{f}'; only transactions, 'txn', can be checked");
        var index = Whole(Field(root, "index"), "index");
        if (index < 0) throw new FieldException("index", "is negative");
        var process = Whole(Field(root, "process"), "process");
        if (process is < 0 or > int.MaxValue)
            throw new FieldException("process", $"is {process}; it must be from 0 to {int.MaxValue}");
        return new Operation(
            index, type, (int)process, Whole(Field(root, "time"), "time"), Value(Field(root, "value"), type), f);
    }

    private static OperationType Type(string name) => name switch
    {
        "invoke" => OperationType.Invoke,
        "ok" => OperationType.Ok,
        "fail" => OperationType.Fail,
        "info" => OperationType.Info,
        _ => throw new FieldException("type", $"is '{name}'; it must be invoke, ok, fail or info"),
    };

    private static MicroOp[] Value(JsonElement value, OperationType type)
    {
        if (value.ValueKind == JsonValueKind.Null && (type is OperationType.Fail or OperationType.Info)) return [];
        if (value.ValueKind != JsonValueKind.Array)
            throw new FieldException("value", $"is {Name(value)}; it must be an array of steps");
        var steps = new MicroOp[value.GetArrayLength()];
        for (var i = 0; i < steps.Length; i++) steps[i] = Step(value[i], $"value[{i}]");
        return steps;
    }

    private static MicroOp Step(JsonElement step, string field)
    {
        if (step.ValueKind != JsonValueKind.Array || step.GetArrayLength() != 3)
            throw new FieldException(field, "must be an array of three: what, key, value");
        if (step[0].ValueKind != JsonValueKind.String)
            throw new FieldException($"{field}[0]", $"is {Name(step[0])}; it must be \"append\", \"w\" or \"r\"");
        var key = step[1].ValueKind switch
        {
            JsonValueKind.String => new HistoryKey(step[1].GetString()!),
            JsonValueKind.Number => new HistoryKey(Whole(step[1], $"{field}[1]")),
            _ => throw new FieldException($"{field}[1]", $"is {Name(step[1])}; a key must be a whole number or text"),
        };
        var last = $"{field}[2]";
        return step[0].GetString() switch
        {
            "append" => MicroOp.Append(key, Whole(step[2], last)),
            "w" => MicroOp.Write(key, Whole(step[2], last)),
            "r" => step[2].ValueKind switch
            {
                JsonValueKind.Null => MicroOp.Read(key),
                JsonValueKind.Array => MicroOp.ReadList(key, Elements(step[2], last)),
                _ => MicroOp.ReadValue(key, Whole(step[2], last)),
            },
            var other => throw new FieldException($"{field}[0]", $"is '{other}'; it must be append, w or r"),
        };
    }

    private static long[] Elements(JsonElement list, string field)
    {
        var elements = new long[list.GetArrayLength()];
        var i = 0;
        foreach (var element in list.EnumerateArray()) elements[i] = Whole(element, $"{field}[{i++}]");
        return elements;
    }

    private static JsonElement Field(JsonElement root, string name) =>
        root.TryGetProperty(name, out var value) ? value : throw new FieldException(name, "is missing");

    private static string Text(JsonElement root, string name)
    {
        var value = Field(root, name);
        return value.ValueKind == JsonValueKind.String
            ? value.GetString()!
            : throw new FieldException(name, $"is {Name(value)}; it must be text");
    }

    private static long Whole(JsonElement value, string field) =>
        value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out var number)
            ? number
            : throw new FieldException(field, $"is {Name(value)}; it must be a whole number of 64 bits");

    private static string Name(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Null => "null",
        JsonValueKind.Array => "an array",
        JsonValueKind.Object => "an object",
        _ => value.GetRawText(),
    };

    private sealed class FieldException(string field, string message) : Exception(message)
    {
        public string Field { get; } = field;
    }
}
