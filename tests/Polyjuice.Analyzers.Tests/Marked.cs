using System.Text.RegularExpressions;

namespace Polyjuice.Analyzers.Tests;

/// <summary>Code without the marks that it was written with.</summary>
/// <param name="Code">The code.</param>
/// <param name="Expected">What the marks say: a rule, and the text that it is reported at, in the text's order.</param>
internal sealed partial record Marked(string Code, IReadOnlyList<Finding> Expected)
{
    /// <summary>Of code with marks like <c>{|PJ0001:here|}</c>, of which none is within another one.</summary>
    public static Marked Of(string text)
    {
        var expected = new List<Finding>();
        var removed = 0;
        var code = Mark().Replace(text, found =>
        {
            var (rule, inner) = (found.Groups["rule"].Value, found.Groups["text"].Value);
            expected.Add(new(rule, found.Index - removed, inner));
            removed += found.Length - inner.Length;
            return inner;
        });
        return new(code, expected);
    }

    [GeneratedRegex(@"\{\|(?<rule>PJ\d+):(?<text>.*?)\|\}", RegexOptions.Singleline)]
    private static partial Regex Mark();
}

/// <summary>A rule that is broken, and where.</summary>
internal sealed record Finding(string Rule, int Position, string Text);
