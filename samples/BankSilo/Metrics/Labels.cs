using System.Globalization;
using System.Text;

namespace BankSilo.Metrics;

/// <summary>A measurement's tags as the labels of a series.</summary>
internal static class Labels
{
    /// <summary>Such as <c>reason="Validation"</c>; empty without tags. In the order of names, so that one series has one text.</summary>
    public static string Write(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        if (tags.IsEmpty) return "";
        var sorted = tags.ToArray();
        Array.Sort(sorted, static (one, other) => string.CompareOrdinal(one.Key, other.Key));
        var text = new StringBuilder();
        foreach (var (key, value) in sorted)
        {
            if (text.Length > 0) text.Append(',');
            text.Append(Name(key)).Append("=\"").Append(Escape(Convert.ToString(value, CultureInfo.InvariantCulture) ?? "")).Append('"');
        }

        return text.ToString();
    }

    /// <summary>A name that Prometheus takes: everything but letters, digits and underscores becomes an underscore.</summary>
    public static string Name(string name)
    {
        var text = string.Create(name.Length, name, static (span, source) =>
        {
            for (var i = 0; i < span.Length; i++) span[i] = char.IsAsciiLetterOrDigit(source[i]) ? source[i] : '_';
        });
        return text.Length > 0 && char.IsAsciiDigit(text[0]) ? "_" + text : text;
    }

    /// <summary>A value or a help text in its line.</summary>
    public static string Escape(string value) => value.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal);
}
