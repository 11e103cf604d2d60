using System.Text;
using System.Text.Json;

namespace Polyjuice.Policies;

/// <summary>A JSON value that remembers where it stood, so that every complaint about it can name the line.</summary>
internal sealed class JsonPlace
{
    public required JsonTokenType Kind { get; init; }

    /// <summary>The byte offset of its first character.</summary>
    public required int Offset { get; init; }

    /// <summary>A string's value or a number's digits; otherwise empty.</summary>
    public string Text { get; init; } = "";

    /// <summary>An object's members in order, duplicates included.</summary>
    public List<(string Name, int Offset, JsonPlace Value)> Members { get; } = [];

    /// <summary>An array's elements.</summary>
    public List<JsonPlace> Items { get; } = [];

    /// <summary>What it is, for messages.</summary>
    public string Noun => Kind switch
    {
        JsonTokenType.StartObject => "an object",
        JsonTokenType.StartArray => "an array",
        JsonTokenType.String => "a string",
        JsonTokenType.Number => "a number",
        JsonTokenType.Null => "null",
        _ => "true or false",
    };

    /// <summary>Reads one value and nothing after it.</summary>
    /// <exception cref="JsonException">It is not JSON; carries line and byte position from 0.</exception>
    public static JsonPlace Read(ReadOnlySpan<byte> utf8)
    {
        var reader = new Utf8JsonReader(utf8);
        reader.Read();
        var value = Value(ref reader);
        if (reader.Read()) throw new JsonException("Something follows the policy.");
        return value;
    }

    /// <summary>Line and column, from 1, of a byte offset.</summary>
    public static (int Line, int Column) Locate(ReadOnlySpan<byte> utf8, int offset)
    {
        var before = utf8[..Math.Min(offset, utf8.Length)];
        var lineStart = before.LastIndexOf((byte)'\n') + 1;
        return (before.Count((byte)'\n') + 1, Encoding.UTF8.GetCharCount(before[lineStart..]) + 1);
    }

    private static JsonPlace Value(ref Utf8JsonReader reader)
    {
        var place = new JsonPlace
        {
            Kind = reader.TokenType,
            Offset = (int)reader.TokenStartIndex,
            Text = reader.TokenType switch
            {
                JsonTokenType.String => reader.GetString()!,
                JsonTokenType.Number => Encoding.UTF8.GetString(reader.ValueSpan),
                _ => "",
            },
        };
        if (place.Kind == JsonTokenType.StartObject)
        {
            while (reader.Read() && reader.TokenType != JsonTokenType.EndObject)
            {
                var (name, offset) = (reader.GetString()!, (int)reader.TokenStartIndex);
                reader.Read();
                place.Members.Add((name, offset, Value(ref reader)));
            }
        }
        else if (place.Kind == JsonTokenType.StartArray)
        {
            while (reader.Read() && reader.TokenType != JsonTokenType.EndArray) place.Items.Add(Value(ref reader));
        }

        return place;
    }
}
