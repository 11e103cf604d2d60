using System.Globalization;
using Orleans;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Groups;

/// <summary>Which keys the grains of a class have.</summary>
/// <param name="Name">For people.</param>
/// <param name="Interface">What grain interfaces with such keys derive from.</param>
internal sealed record KeyKind(string Name, Type Interface)
{
    public static KeyKind Integer { get; } = new("integer", typeof(IGrainWithIntegerKey));

    public static KeyKind Guid { get; } = new("GUID", typeof(IGrainWithGuidKey));

    public static KeyKind Text { get; } = new("string", typeof(IGrainWithStringKey));

    public static KeyKind IntegerCompound { get; } = new("compound integer", typeof(IGrainWithIntegerCompoundKey));

    public static KeyKind GuidCompound { get; } = new("compound GUID", typeof(IGrainWithGuidCompoundKey));

    private static readonly KeyKind[] s_all = [Integer, Guid, Text, IntegerCompound, GuidCompound];

    public bool IsInteger => this == Integer || this == IntegerCompound;

    public bool IsCompound => this == IntegerCompound || this == GuidCompound;

    /// <summary>Those of a class: one, unless its interfaces differ.</summary>
    public static IReadOnlyList<KeyKind> Of(Type grainClass) =>
        [.. s_all.Where(kind => kind.Interface.IsAssignableFrom(grainClass))];

    /// <summary>Reads a key that is no text.</summary>
    /// <param name="grain">The grain.</param>
    /// <param name="dividedBy">What a number is divided by, rounded down; at least 1.</param>
    /// <returns>The number or GUID as text, and the extension; <see langword="null"/> if it is no such key.</returns>
    public (string Main, string? Extension)? Read(GrainId grain, long dividedBy)
    {
        if (IsInteger)
        {
            return grain.TryGetIntegerKey(out var number, out var extension)
                ? (Divide(number, dividedBy).ToString(CultureInfo.InvariantCulture), extension)
                : null;
        }

        return grain.TryGetGuidKey(out var guid, out var text) ? (guid.ToString("D"), text) : null;
    }

    /// <summary>Rounded down, so that groups are as large below zero as above.</summary>
    public static long Divide(long number, long by)
    {
        var (quotient, rest) = Math.DivRem(number, by);
        return rest < 0 ? quotient - 1 : quotient;
    }
}
