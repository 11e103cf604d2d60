using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Polyjuice.Policies;

namespace Polyjuice.Publishing;

/// <summary>
/// Entries as bytes (<c>docs/reference/formats.md</c>): JSON, a field a line, in one form. What is signed, and what
/// <c>sha256</c> is of, are the bytes before the line of that field. Reading writes the entry again and wants the same
/// bytes, so nothing can be in a file that the digest does not cover.
/// </summary>
internal static class PolicyEntryFormat
{
    private const string At = "yyyy-MM-dd'T'HH:mm:ss'Z'";
    private const string Release = "release";
    private const string Rollback = "rollback";
    private static readonly string[] Fields =
    [
        "schema", "number", "kind", "at", "by", "previous", "name", "policy", "provenance", "of", "to", "reason",
        "sha256", "signature"
    ];

    /// <summary>The digest that is signed.</summary>
    public static byte[] DigestOf(PolicyEntry entry) => SHA256.HashData(Content(entry));

    /// <summary>The entry's file.</summary>
    public static byte[] Write(PolicyEntry entry)
    {
        var content = Content(entry);
        var end = new StringBuilder();
        end.Append(",\n  \"sha256\": ").Append(Quote(Convert.ToHexStringLower(SHA256.HashData(content))));
        if (entry.Signature is { } signature)
            end.Append(",\n  \"signature\": { \"key\": ").Append(Quote(signature.Key)).Append(", \"value\": ")
                .Append(Quote(signature.Value)).Append(" }");
        return [.. content, .. Encoding.UTF8.GetBytes(end.Append("\n}\n").ToString())];
    }

    /// <summary>Reads an entry's file.</summary>
    /// <param name="utf8">All of it.</param>
    /// <param name="name">What errors call it.</param>
    /// <exception cref="PolicyFormatException">
    /// It is no entry, or not one that this version reads, or was changed.
    /// </exception>
    public static PolicyEntry Read(byte[] utf8, string name)
    {
        JsonPlace root;
        try
        {
            root = JsonPlace.Read(utf8);
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            throw new PolicyFormatException(name, 1, 1, "", "Is not JSON, so it is not an entry, or not all of one.");
        }

        var problems = new ProblemList(utf8);
        if (VersionOf(root) is { } version && version > PolicyEntry.CurrentSchema)
            throw new PolicyFormatException(
                name,
                1,
                1,
                "schema",
                $"Is {version}, and this version reads {PolicyEntry.CurrentSchema}: it was published by a newer one. "
                + "Update this one.");

        var entry = Entry(new JsonFields(root, "", Fields, problems), problems);
        if (problems.Any) throw new PolicyFormatException(name, problems.InOrder());
        if (!Write(entry).AsSpan().SequenceEqual(utf8))
            throw new PolicyFormatException(
                name, 1, 1, "sha256", "Does not fit the rest: the entry was changed after it was published.");
        return entry;
    }

    /// <summary>Whether what can't be read was made by a newer version: then it is an entry for others.</summary>
    public static bool IsOfNewerVersion(byte[] utf8)
    {
        try
        {
            return VersionOf(JsonPlace.Read(utf8)) > PolicyEntry.CurrentSchema;
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            return false;
        }
    }

    private static int? VersionOf(JsonPlace root)
    {
        var schema = root.Members.Find(static member => member.Name == "schema").Value;
        if (schema is not { Kind: JsonTokenType.Number }) return null;
        return int.TryParse(schema.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var version)
            ? version
            : null;
    }

    private static PolicyEntry Entry(JsonFields fields, ProblemList problems)
    {
        var number = fields.Integer("number", 1) ?? 0;
        var isRollback = fields.OneOf("kind", false, (Release, false), (Rollback, true));
        if (!DateTimeOffset.TryParseExact(
            fields.String("at"), At, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var at))
            problems.Add(0, "at", $"Is no time like {At}.");
        var by = fields.String("by") ?? "";
        var previous = fields.String("previous") ?? "";
        var signature = Signature(fields, problems);
        if (isRollback)
        {
            return new PolicyRollback
            {
                Number = number, At = at, By = by, Previous = previous, Signature = signature,
                Of = fields.Integer("of", 1) ?? 0, To = fields.Integer("to", 0) ?? 0,
                Reason = fields.String("reason") ?? "",
            };
        }

        return new PolicyRelease
        {
            Number = number, At = at, By = by, Previous = previous, Signature = signature,
            Name = fields.RequiredName("name", "the policy"),
            Policy = fields.RequiredName("policy", "the policy's document"),
            Provenance = fields.String("provenance") ?? "",
        };
    }

    private static PolicySignature? Signature(JsonFields fields, ProblemList problems)
    {
        if (fields.Get("signature") is not { } place) return null;
        var signature = new JsonFields(place, "signature", ["key", "value"], problems);
        return new(signature.RequiredName("key", "the key"), signature.RequiredName("value", "the signature"));
    }

    private static byte[] Content(PolicyEntry entry)
    {
        var text = new StringBuilder();
        text.Append(
            CultureInfo.InvariantCulture,
            $"{{\n  \"schema\": {PolicyEntry.CurrentSchema},\n  \"number\": {entry.Number},\n  \"kind\": "
            + $"\"{(entry is PolicyRelease ? Release : Rollback)}\"");
        Field("at", entry.At.UtcDateTime.ToString(At, CultureInfo.InvariantCulture));
        Field("by", entry.By);
        Field("previous", entry.Previous);
        switch (entry)
        {
            case PolicyRelease release:
                Field("name", release.Name);
                Field("policy", release.Policy);
                if (release.Provenance.Length > 0) Field("provenance", release.Provenance);
                break;
            case PolicyRollback rollback:
                text.Append(CultureInfo.InvariantCulture, $",\n  \"of\": {rollback.Of},\n  \"to\": {rollback.To}");
                Field("reason", rollback.Reason);
                break;
        }

        return Encoding.UTF8.GetBytes(text.ToString());

        void Field(string name, string value) =>
            text.Append(",\n  \"").Append(name).Append("\": ").Append(Quote(value));
    }

    private static string Quote(string text) => $"\"{JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(text)}\"";
}
