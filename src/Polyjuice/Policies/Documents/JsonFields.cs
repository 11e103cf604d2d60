using System.Globalization;
using System.Text.Json;

namespace Polyjuice.Policies;

/// <summary>Collects what is wrong with a file.</summary>
internal sealed class ProblemList(byte[] utf8)
{
    /// <summary>Past this many, the rest of the complaints would only bury the first.</summary>
    private const int ProblemsMax = 20;

    private readonly List<(int Offset, PolicyProblem Problem)> _problems = [];

    public bool Any => _problems.Count > 0;

    public void Add(int offset, string field, string message)
    {
        var (line, column) = JsonPlace.Locate(utf8, offset);
        _problems.Add((offset, new PolicyProblem(line, column, field, message)));
    }

    public IReadOnlyList<PolicyProblem> InOrder() =>
        [.. _problems.OrderBy(p => p.Offset).Select(p => p.Problem).Take(ProblemsMax)];
}

/// <summary>
/// Takes an object apart field by field. Complains about fields that it does not know or sees twice, and about values
/// of the wrong kind; then goes on with a stand-in, so that one reading finds several mistakes.
/// </summary>
internal sealed class JsonFields
{
    private readonly Dictionary<string, JsonPlace> _fields = new(StringComparer.Ordinal);
    private readonly ProblemList _problems;

    /// <param name="place">The object.</param>
    /// <param name="path">Its path; empty for the file.</param>
    /// <param name="known">The fields it may have, for the message.</param>
    /// <param name="problems">Where to complain.</param>
    public JsonFields(JsonPlace place, string path, ReadOnlySpan<string> known, ProblemList problems)
    {
        Place = place;
        Path = path;
        _problems = problems;
        if (place.Kind != JsonTokenType.StartObject)
        {
            problems.Add(place.Offset, path, $"Is {place.Noun}; write an object.");
            return;
        }

        foreach (var (name, offset, value) in place.Members)
        {
            if (!known.Contains(name))
                problems.Add(offset, At(name), $"Unknown field. Known here: {string.Join(", ", known!)}.");
            else if (!_fields.TryAdd(name, value)) problems.Add(offset, At(name), "Is there twice; remove one.");
        }
    }

    public JsonPlace Place { get; }

    public string Path { get; }

    public string At(string field) => Path.Length == 0 ? field : $"{Path}.{field}";

    public JsonPlace? Get(string field) => _fields.GetValueOrDefault(field);

    public JsonPlace? Get(string field, JsonTokenType kind, string article)
    {
        if (Get(field) is not { } value) return null;
        if (value.Kind == kind) return value;
        _problems.Add(value.Offset, At(field), $"Is {value.Noun}; write {article}.");
        return null;
    }

    public string? String(string field) => Get(field, JsonTokenType.String, "a string")?.Text;

    /// <summary>A string that must be there and not be empty; a stand-in otherwise.</summary>
    public string RequiredName(string field, string what)
    {
        if (Get(field) is null)
        {
            if (Place.Kind == JsonTokenType.StartObject)
                _problems.Add(Place.Offset, At(field), $"Is missing; it names {what}.");
            return "";
        }

        var text = String(field);
        if (text is { Length: 0 }) _problems.Add(Get(field)!.Offset, At(field), $"Is empty; it names {what}.");
        return text ?? "";
    }

    public bool Bool(string field)
    {
        if (Get(field) is not { } value) return false;
        if (value.Kind is not (JsonTokenType.True or JsonTokenType.False))
            _problems.Add(value.Offset, At(field), $"Is {value.Noun}; write true or false.");
        return value.Kind == JsonTokenType.True;
    }

    public T OneOf<T>(string field, T otherwise, params ReadOnlySpan<(string Text, T Value)> values)
    {
        if (Get(field) is not { } place) return otherwise;
        var valid = new List<string>();
        foreach (var (text, value) in values)
        {
            if (place.Kind == JsonTokenType.String && place.Text == text) return value;
            valid.Add($"\"{text}\"");
        }

        var given = place.Kind == JsonTokenType.String ? $"\"{place.Text}\"" : place.Noun;
        _problems.Add(place.Offset, At(field), $"Is {given}; write {string.Join(" or ", valid)}.");
        return otherwise;
    }

    public int? Integer(string field, int atLeast)
    {
        if (Get(field, JsonTokenType.Number, "a whole number") is not { } value) return null;
        if (int.TryParse(value.Text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number)
            && number >= atLeast)
            return number;
        _problems.Add(value.Offset, At(field), $"Is {value.Text}; write a whole number from {atLeast}.");
        return null;
    }

    public IEnumerable<(JsonPlace Item, string Path)> Items(string field)
    {
        if (Get(field, JsonTokenType.StartArray, "an array") is not { } array) yield break;
        for (var i = 0; i < array.Items.Count; i++) yield return (array.Items[i], $"{At(field)}[{i}]");
    }
}
