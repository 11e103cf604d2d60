using System.Text;

namespace Polyjuice.Contracts;

/// <summary>
/// One string for each of the few names that records repeat again and again: types, classes, states, codecs. A log that
/// is read back would otherwise hold one of each for every record. Thread-safe: each thread has its own.
/// </summary>
internal static class SharedNames
{
    private const int CharactersMax = 128;

    /// <summary>Names kept; after so many it begins anew.</summary>
    private const int NamesMax = 1_024;

    [ThreadStatic]
    private static HashSet<string>? t_names;

    /// <summary>The string of UTF-8 bytes.</summary>
    public static string Get(ReadOnlySpan<byte> utf8)
    {
        if (utf8.Length > CharactersMax) return Encoding.UTF8.GetString(utf8);
        Span<char> characters = stackalloc char[CharactersMax];
        var name = characters[..Encoding.UTF8.GetChars(utf8, characters)];
        var names = t_names ??= new(StringComparer.Ordinal);
        var known = names.GetAlternateLookup<ReadOnlySpan<char>>();
        if (known.TryGetValue(name, out var shared)) return shared;
        shared = name.ToString();
        if (names.Count >= NamesMax) names.Clear();
        names.Add(shared);
        return shared;
    }
}
