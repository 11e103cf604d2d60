using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Rules;

public class PolicyRulesTests
{
    [Fact]
    public void A_document_with_an_unknown_rule_cannot_become_a_policy()
    {
        var e = Assert.Throws<ArgumentException>(
            () => new DocumentPolicy(new PolicyDocument { Name = "x", Rule = "calvin" }));
        Assert.All(PolicyRules.Names, name => Assert.Contains(name, e.Message));
    }

    [Fact]
    public void No_rule_and_the_uniform_rule_are_the_same() =>
        Assert.Equal((null, null), (PolicyRules.Find(null), PolicyRules.Find(PolicyRules.Uniform)));
}
