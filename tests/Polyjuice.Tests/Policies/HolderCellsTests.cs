using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;

namespace Polyjuice.Tests.Policies;

/// <summary>How files say what becomes of an access that finds holders.</summary>
public sealed class HolderCellsTests
{
    [Theory]
    [InlineData("\"waitForHolders\": true, \"conflict\": \"die\"", HolderConflict.Die, false)]
    [InlineData("\"waitForHolders\": true, \"conflict\": \"wound\"", HolderConflict.Wound, false)]
    [InlineData("\"waitForHolders\": \"by-type\"", HolderConflict.Wait, true)]
    [InlineData("\"waitForHolders\": \"by-type\", \"conflict\": \"wound\"", HolderConflict.Wound, true)]
    internal void What_a_row_says_is_read_and_written_back_the_same(string cells, HolderConflict conflict, bool byType)
    {
        var document = PolicyReader.Parse(
            $"{{ \"schema\": 4, \"name\": \"x\", \"default\": {{ {cells} }} }}", "x.json");
        Assert.Equal(
            PolicyCells.Plain with { WaitForHolders = true, Conflict = conflict, HoldersByType = byType },
            document.Default);
        var text = PolicyWriter.Write(document);
        Assert.Contains("\"schema\": 4,", text);
        Assert.Contains(cells, text);
        Assert.Equal(document, PolicyReader.Parse(text, "x.json"));
    }

    [Fact]
    public void Rows_for_hot_participants_may_say_it_too()
    {
        var document = PolicyReader.Parse(
            "{ \"schema\": 4, \"name\": \"x\", \"default\": { \"heat\": { \"waitForHolders\": true, \"conflict\": "
            + "\"die\" } } }",
            "x.json");
        var table = new DocumentPolicy(document).Compile(new SiteRegistry(), 1);
        Assert.Equal(
            (PolicyActions.None, PolicyActions.WaitForHolders | PolicyActions.Die),
            (table.RowOf(0, 0).Actions, table.HotRowOf(0, 0).Actions));
        Assert.Equal(document, PolicyReader.Parse(PolicyWriter.Write(document), "x.json"));
    }

    [Fact]
    public void To_wait_is_what_rows_do_that_say_nothing()
    {
        var document = PolicyReader.Parse(
            "{ \"schema\": 4, \"name\": \"x\", \"default\": { \"waitForHolders\": true, \"conflict\": \"wait\" } }",
            "x.json");
        Assert.Contains("\"schema\": 1,", PolicyWriter.Write(document));
        Assert.DoesNotContain("conflict", PolicyWriter.Write(document));
    }

    [Fact]
    public void Without_a_wait_for_holders_it_has_no_effect()
    {
        Assert.Equal(
            PolicyActions.None,
            (PolicyCells.Plain with { Conflict = HolderConflict.Wound, HoldersByType = true }).Actions);
        Assert.Equal(
            PolicyActions.WaitForHolders | PolicyActions.HoldersByType | PolicyActions.Wound,
            (PolicyCells.Plain with
            {
                WaitForHolders = true, Conflict = HolderConflict.Wound, HoldersByType = true
            }).Actions);
    }

    [Theory]
    [InlineData(3, "\"conflict\": \"die\"", "default.conflict", "write \"schema\": 4")]
    [InlineData(3, "\"waitForHolders\": \"by-type\"", "default.waitForHolders", "write \"schema\": 4")]
    [InlineData(4, "\"conflict\": \"kill\"", "default.conflict", "\"wait\" or \"die\" or \"wound\"")]
    [InlineData(4, "\"waitForHolders\": \"some\"", "default.waitForHolders", "true, false or \"by-type\"")]
    [InlineData(4, "\"waitForHolders\": 1", "default.waitForHolders", "true or false")]
    public void What_a_row_cannot_say_is_refused_by_field(int schema, string cells, string field, string expected)
    {
        var refused = Assert.Throws<PolicyFormatException>(
            () => PolicyReader.Parse(
                $"{{ \"schema\": {schema}, \"name\": \"x\", \"default\": {{ {cells} }} }}", "x.json"));
        Assert.Contains(field, refused.Message);
        Assert.Contains(expected, refused.Message);
    }

    [Fact]
    public void The_grid_and_a_comparison_name_it()
    {
        var (wait, die) = (BuiltinPolicies.Get("locking").Document, BuiltinPolicies.Get("2pl-wait-die").Document);
        Assert.Contains(" die ", PolicyGrid.Render(die));
        Assert.Contains("die, wound:", PolicyGrid.Render(die));
        Assert.DoesNotContain("die, wound:", PolicyGrid.Render(wait));
        Assert.Contains(new PolicyDifference("default row", "holders", "wait", "die"), PolicyDiff.Compare(wait, die));
        Assert.Contains(
            "wait*",
            PolicyGrid.Render(
                BuiltinPolicies.Get("callas").Document with { Catalogue = ArtifactWorkloads.Get("tpcc") }));
    }
}
