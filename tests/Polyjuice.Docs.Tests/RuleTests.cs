using System.Text.RegularExpressions;

namespace Polyjuice.Docs.Tests;

/// <summary>A newcomer finds the code of any rule of the protocol.</summary>
public partial class RuleTests
{
    private static readonly Page s_page = Page.All.Single(static page => page.Path == "docs/internals/rules.md");

    [Fact]
    public void Every_file_that_has_a_rule_is_there_and_names_it()
    {
        var wrong = Rules()
            .SelectMany(static rule => rule.Files.Select(file => (rule.Name, File: file)))
            .Where(static rule => !File.Exists(Repository.PathOf(rule.File)) || !Names(rule.File, rule.Name))
            .ToList();

        Assert.True(wrong.Count == 0, string.Join(Environment.NewLine, wrong));
    }

    [Fact]
    public void Every_rule_of_the_specification_has_its_file()
    {
        var specified = Directory.EnumerateFiles(
            Repository.PathOf("src/Polyjuice.Simulation/Specification/Rules"), "*.cs")
            .Select(static file => Specified().Match(Path.GetFileName(file)))
            .Where(static match => match.Success)
            .Select(static match => match.Groups[1].Value);

        Assert.Empty(
            specified.Except(Rules().Where(static rule => rule.Files.Count > 0).Select(static rule => rule.Name)));
    }

    private static IEnumerable<(string Name, IReadOnlyList<string> Files)> Rules() => s_page.Text.Split("\n\n")
        .Select(static paragraph => (Rule: Rule().Match(paragraph), Files: SourceFile().Matches(paragraph)))
        .Where(static paragraph => paragraph.Rule.Success)
        .Select(
            static paragraph =>
                (paragraph.Rule.Groups[1].Value, (IReadOnlyList<string>)[
                    .. paragraph.Files.Select(file => file.Groups[1].Value)
                ]));

    private static bool Names(string file, string rule) => Regex.IsMatch(Repository.Read(file), $@"\b{rule}\b");

    [GeneratedRegex(@"^\*\*([A-Z]\d[a-c]?)\b")]
    private static partial Regex Rule();

    [GeneratedRegex(@"`(src/[^`]+\.cs)`")]
    private static partial Regex SourceFile();

    [GeneratedRegex(@"^([A-Z]\d[a-c]?)[A-Z]")]
    private static partial Regex Specified();
}
