using System.Globalization;

namespace Polyjuice.Embedded.Core;

/// <summary>Keys as text: integers in decimal, GUIDs as 32 digits, a key's extension behind a plus sign.</summary>
internal static class GrainKeys
{
    public static string Of(long key) => key.ToString(CultureInfo.InvariantCulture);

    public static string Of(Guid key) => key.ToString("N");

    public static string Of(long key, string extension) => $"{Of(key)}+{Checked(extension)}";

    public static string Of(Guid key, string extension) => $"{Of(key)}+{Checked(extension)}";

    public static string Of(string key)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(key);
        return key;
    }

    /// <summary>The first part of a compound key, and the extension or <see langword="null"/>.</summary>
    public static string Split(string key, out string? extension)
    {
        var plus = key.IndexOf('+', StringComparison.Ordinal);
        extension = plus < 0 ? null : key[(plus + 1)..];
        return plus < 0 ? key : key[..plus];
    }

    private static string Checked(string extension)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(extension);
        return extension;
    }
}
