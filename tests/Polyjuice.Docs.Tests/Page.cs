using System.Text.RegularExpressions;

namespace Polyjuice.Docs.Tests;

/// <summary>One Markdown file of the repository: what is prose in it, its headings, its links and its code.</summary>
internal sealed partial class Page
{
    /// <summary>Reads a file.</summary>
    /// <param name="path">From the repository's root, with slashes.</param>
    public Page(string path)
    {
        Path = path;
        Text = Repository.Read(path);
        Read();
    }

    /// <summary>From the repository's root, with slashes.</summary>
    public string Path { get; }

    /// <summary>All of it.</summary>
    public string Text { get; }

    /// <summary>Lines outside of code fences, with their numbers from 1 on.</summary>
    public List<(int Number, string Text)> Prose { get; } = [];

    /// <summary>Fenced code: its language, and its lines with their numbers from 1 on.</summary>
    public List<(string Language, List<(int Number, string Text)> Lines)> Fences { get; } = [];

    /// <summary>What a link may name after the <c>#</c>, as GitHub makes it of the headings.</summary>
    public HashSet<string> Anchors { get; } = [];

    /// <summary>Targets of links, with the numbers of their lines.</summary>
    public IEnumerable<(int Number, string Target)> Links =>
        Prose.SelectMany(static line => Link().Matches(InlineCode().Replace(line.Text, ""))
            .Select(match => (line.Number, match.Groups[1].Value)));

    /// <summary>All pages for readers of the repository, and those of its packages.</summary>
    public static IReadOnlyList<Page> All { get; } =
        [.. Folders()
            .SelectMany(static folder => Directory.EnumerateFiles(Repository.PathOf(folder), "*.md", Searched(folder)))
                .Select(static file => System.IO.Path.GetRelativePath(Repository.Root, file).Replace('\\', '/'))
                .Where(static path => !path.Split('/').Any(static part => part is "bin" or "obj" or "node_modules"))
                .Order(StringComparer.Ordinal)
                .Select(static path => new Page(path))];

    /// <summary>The guide: the read-me, and all below docs/.</summary>
    public static IEnumerable<Page> Guide =>
        All.Where(static page => page.Path == "README.md" || page.Path.StartsWith("docs/", StringComparison.Ordinal));

    private static string[] Folders() => ["", "docs", "src", "samples", "benchmarks", "deploy", "policies"];

    private static SearchOption Searched(string folder) =>
        folder.Length == 0 ? SearchOption.TopDirectoryOnly : SearchOption.AllDirectories;

    private void Read()
    {
        List<(int, string)>? fence = null;
        var number = 0;
        foreach (var line in Text.Split('\n'))
        {
            number++;
            if (line.TrimStart().StartsWith("```", StringComparison.Ordinal))
            {
                if (fence is null) Fences.Add((line.Trim().Trim('`'), fence = []));
                else fence = null;
            }
            else if (fence is not null)
            {
                fence.Add((number, line));
            }
            else
            {
                Prose.Add((number, line));
                if (Heading().Match(line) is { Success: true } heading) AddAnchor(heading.Groups[1].Value);
            }
        }
    }

    private void AddAnchor(string heading)
    {
        var text = LinkText().Replace(heading, "$1").ToLowerInvariant();
        var anchor = string.Concat(
            text.Where(static letter => char.IsLetterOrDigit(letter) || letter is ' ' or '-' or '_'))
            .Replace(
                ' ', '-');
        for (var again = 0; !Anchors.Add(again == 0 ? anchor : $"{anchor}-{again}"); again++)
        {
        }
    }

    [GeneratedRegex("^#{1,6} +(.*?) *#*$")]
    private static partial Regex Heading();

    [GeneratedRegex(@"\[([^\]]*)\]\([^)]*\)")]
    private static partial Regex LinkText();

    [GeneratedRegex(@"\]\(([^)\s]+)(?: ""[^""]*"")?\)")]
    private static partial Regex Link();

    [GeneratedRegex("`[^`]*`")]
    private static partial Regex InlineCode();
}
