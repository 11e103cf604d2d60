using System.Text.RegularExpressions;
using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies;

public partial class DocumentationTests
{
    [Fact]
    public void The_documented_example_is_a_valid_policy()
    {
        var example = Example().Match(Documentation()).Groups[1].Value;
        var document = PolicyReader.Parse(Comment().Replace(example, ""), "docs/reference/tables.md");
        Assert.Equal("bank-peak", document.Name);
        Assert.Equal(3, document.Catalogue.Types.Sum(type => type.Sites.Count));
    }

    [Fact]
    public void Every_built_in_policy_and_rule_is_documented()
    {
        var text = Documentation();
        Assert.All(BuiltinPolicies.Names.Concat(PolicyRules.Names), name => Assert.Contains($"`{name}`", text));
    }

    // Not by the caller's file path: deterministic builds, as continuous integration makes them, leave no real path in it.
    private static string Documentation()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Polyjuice.sln"))) folder = folder.Parent ?? throw new InvalidOperationException("The repository's root was not found.");
        return File.ReadAllText(Path.Combine(folder.FullName, "docs", "reference", "tables.md"));
    }

    [GeneratedRegex("```jsonc\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Example();

    [GeneratedRegex(" +//.*")]
    private static partial Regex Comment();
}
