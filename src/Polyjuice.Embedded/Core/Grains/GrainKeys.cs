using System.Buffers;
using System.Globalization;
using System.Text;

namespace Polyjuice.Embedded.Core;

/// <summary>
/// Keys as text: integers in decimal, GUIDs as 32 digits, a key's extension behind a plus sign. Text that UTF-8 can't carry is refused: all lone surrogates are one character in it, so that in the log, and in
/// messages, grains of different keys would be one grain.
/// </summary>
internal static class GrainKeys
{
    public static string Of(long key) => key.ToString(CultureInfo.InvariantCulture);

    public static string Of(Guid key) => key.ToString("N");

    public static string Of(long key, string extension) => $"{Of(key)}+{Checked(extension)}";

    public static string Of(Guid key, string extension) => $"{Of(key)}+{Checked(extension)}";

    public static string Of(string key)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(key);
        return OfText(key);
    }

    /// <summary>The key if it is text, or else throws.</summary>
    public static string OfText(string key)
    {
        // Nearly no key has any.
        if (key.AsSpan().ContainsAnyInRange('\uD800', '\uDFFF') && !ArePairs(key))
            throw new ArgumentException("A surrogate stands alone in the key: that is no text, and no log can hold it.", nameof(key));
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
        return OfText(extension);
    }

    private static bool ArePairs(ReadOnlySpan<char> text)
    {
        while (Rune.DecodeFromUtf16(text, out _, out var length) == OperationStatus.Done) text = text[length..];
        return text.IsEmpty;
    }
}
