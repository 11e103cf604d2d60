using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Rules;

public class KindRuleTests
{
    [Fact]
    public void Sundial_reads_without_waiting_and_updates_after_its_dependencies()
    {
        var table = new RuleTable("sundial", ("T", "a:r a:u"));
        Assert.Equal(PolicyCells.Plain, table.Row("T", 1));
        Assert.Equal(PolicyCells.Plain with { Waits = PolicyWaits.AllSealed }, table.Row("T", 2));
    }

    [Fact]
    public void Mvtso_waits_before_reads_only_and_exposes_and_validates_everywhere()
    {
        var table = new RuleTable("mvtso", ("T", "a:r a:u"));
        Assert.Equal((PolicyWaits.AllSealed, PolicyWaits.None), (table.Row("T", 1).Waits, table.Row("T", 2).Waits));
        Assert.All(new[] { 1, 2 }, site => Assert.Equal(
            (ReadVersion.Clean, WriteVisibility.Public, true),
            (table.Row("T", site).Read, table.Row("T", site).Write, table.Row("T", site).EarlyValidation)));
    }
}
