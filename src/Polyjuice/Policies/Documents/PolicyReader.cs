using System.Text;
using System.Text.Json;

namespace Polyjuice.Policies;

/// <summary>
/// Reads policy files. Nothing is guessed: an unknown field, row, site,
/// type or value is an error that names file, line, column and field.
/// </summary>
internal static class PolicyReader
{
    private static readonly string[] Fields =
        [
            "schema", "name", "description", "rule", "groups", "provenance", "artifactBufferSize", "catalogue",
            "admission", "default", "backoff", "types"
        ];

    /// <summary>Reads a file.</summary>
    /// <exception cref="PolicyFormatException">It is not a policy.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static PolicyDocument Load(string path) => Parse(File.ReadAllBytes(path), path);

    /// <summary>Reads a policy's text.</summary>
    /// <param name="json">The text.</param>
    /// <param name="file">The name that errors give.</param>
    /// <exception cref="PolicyFormatException">It is not a policy.</exception>
    public static PolicyDocument Parse(string json, string file) => Parse(Encoding.UTF8.GetBytes(json), file);

    /// <inheritdoc cref="Parse(string, string)"/>
    public static PolicyDocument Parse(byte[] utf8, string file)
    {
        if (utf8.AsSpan().StartsWith(Encoding.UTF8.Preamble)) utf8 = utf8[Encoding.UTF8.Preamble.Length..];
        JsonPlace root;
        try
        {
            root = JsonPlace.Read(utf8);
        }
        catch (JsonException e)
        {
            throw new PolicyFormatException(
                file, (int)(e.LineNumber ?? 0) + 1, (int)(e.BytePositionInLine ?? 0) + 1, "",
                $"Is not JSON; correct this: {WithoutPlace(e.Message)}");
        }
        catch (InvalidOperationException)
        {
            throw new PolicyFormatException(file, 1, 1, "", "Is not UTF-8; save the file as UTF-8.");
        }

        var problems = new ProblemList(utf8);
        var document = Document(root, problems);
        return problems.Any ? throw new PolicyFormatException(file, problems.InOrder()) : document;
    }

    private static PolicyDocument Document(JsonPlace root, ProblemList problems)
    {
        // The schema comes first of all: complaints about another version's fields would mislead.
        var schema = root.Kind == JsonTokenType.StartObject ? Schema(root, problems) : 1;
        if (schema == 0) return new PolicyDocument { Name = "" };

        var fields = new JsonFields(root, "", Fields, problems);
        var catalogue = CatalogueReader.Read(fields, problems);
        var rows = new RowReader(catalogue, schema, problems);
        var rule = fields.String("rule");
        if (rule is not null && !PolicyRules.Names.Contains(rule))
            problems.Add(
                fields.Get("rule")!.Offset,
                "rule",
                $"There is no rule \"{rule}\". Known: {string.Join(", ", PolicyRules.Names)}.");

        var document = new PolicyDocument
        {
            Name = fields.RequiredName("name", "the policy"),
            Description = fields.String("description") ?? "",
            Rule = rule,
            Groups = new GroupReader(catalogue, schema, problems).Read(fields, rule),
            Provenance = Provenance(fields, problems),
            ArtifactBufferSize = fields.Integer("artifactBufferSize", 0),
            Catalogue = catalogue,
            Admission = rows.Admission(fields),
            Default = rows.Default(fields),
            Backoff = rows.Backoff(fields),
            Types = rows.Types(fields),
        };
        if (!problems.Any) RequireEveryType(document, root, problems);
        return document;
    }

    /// <summary>The file's, or 0.</summary>
    private static int Schema(JsonPlace root, ProblemList problems)
    {
        const string WhatToDo = "This version reads schemas 1 to 4; write the one that the file follows.";
        var schema = root.Members.Find(m => m.Name == "schema").Value;
        if (schema is null) problems.Add(root.Offset, "schema", $"Is missing. {WhatToDo}");
        else if (schema.Kind != JsonTokenType.Number || schema.Text is not ("1" or "2" or "3" or "4"))
            problems.Add(
                schema.Offset, "schema", $"Is {(schema.Text.Length > 0 ? schema.Text : schema.Noun)}. {WhatToDo}");
        else return schema.Text[0] - '0';
        return 0;
    }

    private static IReadOnlyList<KeyValuePair<string, string>> Provenance(JsonFields fields, ProblemList problems)
    {
        var entries = new List<KeyValuePair<string, string>>();
        foreach (var (name, offset, value) in fields.Get("provenance", JsonTokenType.StartObject, "an object")?.Members
            ?? [])
        {
            if (value.Kind != JsonTokenType.String)
                problems.Add(value.Offset, $"provenance.{name}", $"Is {value.Noun}; write a string.");
            else if (entries.Exists(e => e.Key == name))
                problems.Add(offset, $"provenance.{name}", "Is there twice; remove one.");
            else entries.Add(new(name, value.Text));
        }

        return entries;
    }

    /// <summary>
    /// Without a rule or a default row, a type of the catalogue that has no rows would silently get OCC.
    /// </summary>
    private static void RequireEveryType(PolicyDocument document, JsonPlace root, ProblemList problems)
    {
        if (document.Rule is not null || document.Default is not null) return;
        var offset = root.Members.Find(m => m.Name == "types").Value?.Offset ?? root.Offset;
        if (document.Catalogue.Types.Count == 0)
            problems.Add(
                root.Offset, "default", "Is missing, and so are a rule and a catalogue with rows; write one of them.");
        foreach (var type in document.Catalogue.Types)
        {
            var policy = document.Find(type.Name);
            if (policy is null)
                problems.Add(
                    offset,
                    "types",
                    $"The type \"{type.Name}\" of the catalogue is missing; add it here, or give the policy a "
                    + "\"default\" row or a \"rule\".");
            else if (policy.Default is null
                && type.Sites.FirstOrDefault(site => policy.Find(site.Name) is null) is { } lacking)
                problems.Add(
                    offset,
                    "types",
                    $"\"{type.Name}\" has no row for its site \"{lacking.Name}\"; add it, or give the type or the "
                    + "policy a \"default\" row.");
        }
    }

    /// <summary>The library's message repeats the place, in another notation.</summary>
    private static string WithoutPlace(string message)
    {
        var at = message.IndexOf(" LineNumber:", StringComparison.Ordinal);
        return at < 0 ? message : message[..at];
    }
}
