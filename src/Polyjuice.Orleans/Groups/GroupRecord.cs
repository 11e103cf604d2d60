using System.Buffers;
using System.Text.Json;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Groups;

/// <summary>
/// The groups that logs were last written with, as a note beside them: grain types and declarations, without those that
/// declare none. A silo that declares the same need not look into the logs. Immutable.
/// </summary>
/// <param name="Declarations">By grain type, in ordinal order.</param>
internal sealed record GroupRecord(IReadOnlyDictionary<string, string> Declarations)
{
    /// <summary>The note's name.</summary>
    public const string Name = "groups";

    private const string Format = "polyjuice-groups";
    private const int Version = 1;

    /// <summary>Before there was one: no class declares anything.</summary>
    public static GroupRecord Empty { get; } = new(new SortedDictionary<string, string>(StringComparer.Ordinal));

    /// <summary>What a grain type's class declared; empty for nothing.</summary>
    public string Of(string grainType) => Declarations.GetValueOrDefault(grainType, "");

    /// <summary>The same with what a silo's classes declare. Classes that it does not have stay as they are.</summary>
    public GroupRecord With(IEnumerable<(string GrainType, string Declaration)> classes)
    {
        var all = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (type, declaration) in Declarations) all[type] = declaration;
        foreach (var (type, declaration) in classes)
        {
            if (declaration.Length > 0) all[type] = declaration;
            else all.Remove(type);
        }

        return new(all);
    }

    /// <summary>As the note holds it.</summary>
    public byte[] Write()
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer, new JsonWriterOptions { Indented = true }))
        {
            json.WriteStartObject();
            json.WriteString("format", Format);
            json.WriteNumber("version", Version);
            json.WriteStartObject("groups");
            foreach (var (type, declaration) in Declarations) json.WriteString(type, declaration);
            json.WriteEndObject();
            json.WriteEndObject();
        }

        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>Reads a note.</summary>
    /// <param name="content">What it says.</param>
    /// <param name="location">Where the logs are.</param>
    /// <exception cref="LogUnusableException">It is damaged, or a newer version wrote it.</exception>
    public static GroupRecord Read(ReadOnlyMemory<byte> content, string location)
    {
        try
        {
            using var document = JsonDocument.Parse(content);
            var root = document.RootElement;
            if (root.GetProperty("format").GetString() != Format) throw new FormatException("it is no note of groups");
            var version = root.GetProperty("version").GetInt32();
            if (version > Version) throw new LogVersionException($"The note '{Name}' in {location}", version, Version);
            var groups = root.GetProperty("groups").EnumerateObject();
            return Empty.With(
                groups.Select(
                    static one =>
                        (one.Name, one.Value.GetString() ?? throw new FormatException($"{one.Name} is null"))));
        }
        catch (Exception exception) when (
            exception is JsonException or FormatException or KeyNotFoundException or InvalidOperationException)
        {
            throw new LogUnusableException(
                $"The note '{Name}' beside the logs in {location}, which says what groups grains had, can't be read: "
                + $"{exception.Message.TrimEnd('.')}. Nothing was changed. Restore it from a copy; or remove "
                + "it, and the next silo that declares groups looks through the logs.",
                exception);
        }
    }
}
