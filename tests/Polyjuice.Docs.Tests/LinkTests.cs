using System.Text.RegularExpressions;

namespace Polyjuice.Docs.Tests;

public partial class LinkTests
{
    [Fact]
    public void Every_link_within_the_repository_leads_to_a_file_and_a_heading_that_are_there()
    {
        var pages = Page.All.ToDictionary(static page => page.Path);
        var broken = new List<string>();
        foreach (var page in Page.All)
        {
            foreach (var (number, target) in page.Links)
            {
                if (IsElsewhere(target)) continue;
                var (file, anchor) = Split(target);
                var path = file.Length == 0 ? page.Path : Resolve(page.Path, file);
                var exists = path.Length == 0 || File.Exists(Repository.PathOf(path))
                    || Directory.Exists(Repository.PathOf(path));
                if (!exists
                    || (anchor.Length > 0
                        && (!pages.TryGetValue(path, out var there) || !there.Anchors.Contains(anchor))))
                    broken.Add($"{page.Path}:{number}: {target}");
            }
        }

        Assert.True(!broken.Any(), string.Join(Environment.NewLine, broken));
    }

    [Fact]
    public void Every_page_that_code_and_manifests_name_is_there()
    {
        string[] folders = ["src", "samples", "benchmarks", "tests", "deploy", "eng", ".ci"];
        string[] extensions = [".cs", ".csproj", ".props", ".targets", ".yaml", ".json", ".sh", ".html", ".js", ""];
        var missing = folders
            .SelectMany(
                static folder => Directory.EnumerateFiles(Repository.PathOf(folder), "*", SearchOption.AllDirectories))
            .Where(static file => !BuiltOrFetched().IsMatch(file))
            .Where(file => extensions.Contains(Path.GetExtension(file)))
            .SelectMany(
                static file => PageName().Matches(File.ReadAllText(file)).Select(match => (file, page: match.Value)))
            .Where(static use => !File.Exists(Repository.PathOf(use.page)))
            .Select(static use => $"{Path.GetRelativePath(Repository.Root, use.file)}: {use.page}");

        Assert.True(!missing.Any(), string.Join(Environment.NewLine, missing));
    }

    [Fact]
    public void The_index_leads_to_every_page()
    {
        var index = Page.All.Single(static page => page.Path == "docs/README.md");
        var linked = index.Links.Select(link => Resolve(index.Path, Split(link.Target).File)).ToHashSet();

        Assert.Empty(Page.Guide.Select(static page => page.Path)
            .Where(path => path is not ("README.md" or "docs/README.md")).Except(linked));
    }

    private static bool IsElsewhere(string target) =>
        target.Contains("://", StringComparison.Ordinal) || target.StartsWith("mailto:", StringComparison.Ordinal);

    private static (string File, string Anchor) Split(string target) =>
        target.Split('#', 2) is [var file, var anchor] ? (file, anchor) : (target, "");

    private static string Resolve(string page, string file)
    {
        var root = Path.GetFullPath(Repository.Root);
        var folder = Path.GetDirectoryName(Path.Combine(root, page))!;
        return Path.GetRelativePath(root, Path.GetFullPath(Path.Combine(folder, file))).Replace('\\', '/');
    }

    [GeneratedRegex(@"[\\/](bin|obj|node_modules)[\\/]")]
    private static partial Regex BuiltOrFetched();

    [GeneratedRegex(@"\bdocs/[a-z/-]+\.md\b")]
    private static partial Regex PageName();
}
