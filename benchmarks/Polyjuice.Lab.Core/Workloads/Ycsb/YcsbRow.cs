using System.Collections.Immutable;
using System.Globalization;
using Orleans;
using Orleans.Concurrency;

namespace Polyjuice.Lab.Workloads.Ycsb;

/// <summary>
/// The state of a record. What a field holds follows from the record, the field and how often it was written, so that
/// every reader can tell whether it is whole.
/// </summary>
[GenerateSerializer]
[Immutable]
public sealed class YcsbRow
{
    /// <summary>Fields of a record.</summary>
    public const int FieldCount = 10;

    /// <summary>Characters of a field.</summary>
    public const int FieldLength = 100;

    /// <summary>The fields; none if there is no such record.</summary>
    [Id(0)]
    public ImmutableArray<YcsbField> Fields { get; init; } = [];

    /// <summary>Whether the record was inserted.</summary>
    public bool Exists => !Fields.IsDefaultOrEmpty;

    /// <summary>How often fields were overwritten.</summary>
    public long Updates => Exists ? Fields.Sum(written => written.Writes) : 0;

    /// <summary>A new record.</summary>
    public static YcsbRow Create(long key) =>
        new() { Fields = [.. Enumerable.Range(0, FieldCount).Select(field => FieldOf(key, field, 0))] };

    /// <summary>The record with one field overwritten.</summary>
    public YcsbRow With(long key, int field) =>
        Exists ? new YcsbRow { Fields = Fields.SetItem(field, FieldOf(key, field, Fields[field].Writes + 1)) } : this;

    /// <summary>What is wrong with it, or <see langword="null"/>.</summary>
    public string? Fault(long key)
    {
        for (var field = 0; field < (Exists ? Fields.Length : 0); field++)
        {
            if (Fields[field] != FieldOf(key, field, Fields[field].Writes))
                return $"field {field} of record {key} says it was written {Fields[field].Writes} times, and does not "
                    + "hold what was written then";
        }

        return null;
    }

    private static YcsbField FieldOf(long key, int field, long writes)
    {
        var text = string.Create(CultureInfo.InvariantCulture, $"user{key}.field{field}@{writes}|");
        return new YcsbField(writes, text.PadRight(FieldLength, (char)('a' + (writes % 26))));
    }
}

/// <summary>A field.</summary>
/// <param name="Writes">How often it was overwritten.</param>
/// <param name="Text">What was written.</param>
[GenerateSerializer]
[Immutable]
public sealed record YcsbField([property: Id(0)] long Writes, [property: Id(1)] string Text);
