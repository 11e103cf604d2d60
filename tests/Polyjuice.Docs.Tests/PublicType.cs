using System.Text.RegularExpressions;

namespace Polyjuice.Docs.Tests;

/// <summary>A public type of a package, as <c>PublicAPI.*.txt</c> lists it.</summary>
/// <param name="Package">The package's project.</param>
/// <param name="FullName">With its namespace, without type parameters.</param>
/// <param name="Members">The lines of its members.</param>
internal sealed partial record PublicType(string Package, string FullName, IReadOnlyList<string> Members)
{
    private static readonly string[] s_files = ["PublicAPI.Shipped.txt", "PublicAPI.Unshipped.txt"];

    /// <summary>All of the repository; a generic one and its namesake are two.</summary>
    public static IReadOnlyList<PublicType> All { get; } = [.. Packages().SelectMany(In)];

    /// <summary>What people call it: without its namespace, attributes as they are written.</summary>
    public string Name => Attribute().Replace(FullName[(FullName.LastIndexOf('.') + 1)..], "");

    /// <summary>Names of its extension methods: who calls them does not name their class.</summary>
    public IEnumerable<string> Extensions =>
        Members.Select(static member => Extension().Match(member))
            .Where(static match => match.Success)
            .Select(static match => match.Groups[1].Value);

    /// <summary>Whether a member's signature has another type.</summary>
    public bool Uses(PublicType other) =>
        Members.Any(member => Words().Matches(member).Any(word => word.Value == other.FullName));

    /// <summary>Projects that list what is public in them.</summary>
    public static IEnumerable<string> Packages() =>
        Directory.EnumerateDirectories(Repository.PathOf("src"))
            .Where(static folder => File.Exists(Path.Combine(folder, s_files[0])))
            .Select(static folder => Path.GetFileName(folder))
            .Order(StringComparer.Ordinal);

    private static IEnumerable<PublicType> In(string package)
    {
        string[] lines = [.. s_files.SelectMany(file => File.ReadAllLines(Repository.PathOf($"src/{package}/{file}")))];
        var removed = lines.Where(static line => line.StartsWith(Removed, StringComparison.Ordinal))
            .Select(static line => line[Removed.Length..]).ToHashSet();
        string[] kept = [.. lines.Where(line => !removed.Contains(line) && !removed.Contains(Removed + line))];
        foreach (var match in kept.Select(static line => TypeLine().Match(line)).Where(static match => match.Success))
        {
            var (line, name) = (match.Value, match.Groups[1].Value);
            yield return new(
                package, name,
                [.. kept.Where(member => member.Contains(" -> ", StringComparison.Ordinal)
                    && Regex.IsMatch(member, $@"^~?(?:\w+ )*{Regex.Escape(line)}\."))]);
        }
    }

    private const string Removed = "*REMOVED*";

    [GeneratedRegex(@"^([A-Z][\w.]*)(?:<[\w, ]+>)?$")]
    private static partial Regex TypeLine();

    [GeneratedRegex(@"\.(\w+)(?:<\w+>)?\(this ")]
    private static partial Regex Extension();

    [GeneratedRegex("Attribute$")]
    private static partial Regex Attribute();

    [GeneratedRegex(@"[\w.]+")]
    private static partial Regex Words();
}
