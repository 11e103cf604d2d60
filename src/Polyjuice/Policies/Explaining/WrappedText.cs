namespace Polyjuice.Policies;

/// <summary>Breaks sentences into lines for a console.</summary>
internal static class WrappedText
{
    /// <summary>A line has at most so many characters, unless a single word has more.</summary>
    public const int WidthMax = 108;

    /// <summary>The lines of a sentence.</summary>
    /// <param name="sentence">Words with single spaces between them.</param>
    /// <param name="first">Before the first line.</param>
    /// <param name="others">Before the others.</param>
    public static IEnumerable<string> Lines(string sentence, string first, string others)
    {
        var (line, isEmpty) = (first, true);
        foreach (var word in sentence.Split(' '))
        {
            if (!isEmpty && line.Length + 1 + word.Length > WidthMax)
            {
                yield return line;
                (line, isEmpty) = (others, true);
            }

            line = isEmpty ? line + word : $"{line} {word}";
            isEmpty = false;
        }

        yield return line;
    }
}
