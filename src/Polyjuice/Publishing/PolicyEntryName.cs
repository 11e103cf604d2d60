using System.Globalization;

namespace Polyjuice.Publishing;

/// <summary>How entries are named wherever they are kept: <c>00000001.json</c> and so on.</summary>
internal static class PolicyEntryName
{
    /// <summary>What all names end with.</summary>
    public const string Suffix = ".json";

    private const int Digits = 8;

    /// <summary>The name of an entry.</summary>
    /// <param name="number">From 1.</param>
    public static string Of(int number) => number.ToString("D" + Digits, CultureInfo.InvariantCulture) + Suffix;

    /// <summary>The number of the entry that has a name; 0 if no entry has, because something else does.</summary>
    /// <param name="name">Without a folder.</param>
    public static int NumberOf(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return name.EndsWith(Suffix, StringComparison.Ordinal)
            && int.TryParse(name[..^Suffix.Length], NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            && Of(number) == name
                ? number
                : 0;
    }
}
