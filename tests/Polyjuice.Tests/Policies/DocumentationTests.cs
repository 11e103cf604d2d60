using System.Text.RegularExpressions;
using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies;

public partial class DocumentationTests
{
    private const string Page = "docs/reference/tables.md";

    [Fact]
    public void The_documented_example_is_a_valid_policy()
    {
        var example = Example().Match(Documentation()).Groups[1].Value;
        var document = PolicyReader.Parse(Comment().Replace(example, ""), Page);
        Assert.Equal("bank-peak", document.Name);
        Assert.Equal(3, document.Catalogue.Types.Sum(type => type.Sites.Count));
    }

    [Fact]
    public void Every_built_in_policy_and_rule_is_documented()
    {
        var text = Documentation();
        Assert.All(BuiltinPolicies.Names.Concat(PolicyRules.Names), name => Assert.Contains($"`{name}`", text));
    }

    private static string Documentation() => Repository.Read(Page);

    [GeneratedRegex("```jsonc\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Example();

    [GeneratedRegex(" +//.*")]
    private static partial Regex Comment();
}
