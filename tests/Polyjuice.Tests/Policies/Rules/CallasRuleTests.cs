using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;

namespace Polyjuice.Tests.Policies.Rules;

public class CallasRuleTests
{
    [Fact]
    public void Within_a_group_rows_are_those_of_ic3_and_other_groups_are_waited_for_until_they_are_sealed()
    {
        var full = Tpcc();
        var pipeline = new DocumentPolicy(new PolicyDocument
        {
            Name = "p", Rule = "ic3", Catalogue = full.Catalogue with { Types = [.. full.Catalogue.Types.Take(2)] }
        }).Materialize();
        foreach (var type in new[] { "NewOrder", "Payment" })
        {
            foreach (var row in full.Find(type)!.Rows)
            {
                var alone = pipeline.Find(type)!.Find(row.Site)!;
                Assert.Equal(
                    (alone.Read, alone.Write, alone.EarlyValidation),
                    (row.Cells.Read, row.Cells.Write, row.Cells.EarlyValidation));
                Assert.Equal(
                    (true, true, HolderConflict.Wait),
                    (row.Cells.WaitForHolders, row.Cells.HoldersByType, row.Cells.Conflict));
                Assert.Equal(
                    (alone.Waits["NewOrder"], alone.Waits["Payment"]),
                    (row.Cells.Waits["NewOrder"], row.Cells.Waits["Payment"]));
                Assert.Equal(
                    (WaitCell.Sealed, WaitCell.Sealed),
                    (row.Cells.Waits["Delivery"], row.Cells.Waits["a type of another day"]));
            }
        }

        Assert.All(
            full.Find("Delivery")!.Rows,
            row => Assert.Equal(
                (WaitCell.Sealed, WaitCell.Sealed), (row.Cells.Waits["NewOrder"], row.Cells.Waits["Payment"])));
        Assert.All(full.Find("Delivery")!.Rows, row => Assert.NotEqual(WaitCell.Sealed, row.Cells.Waits["Delivery"]));
    }

    [Fact]
    public void Groups_that_a_document_gives_are_taken_as_they_are()
    {
        var full = Tpcc(["Payment", "Delivery"]);
        Assert.All(
            full.Find("Payment")!.Rows,
            row => Assert.Equal(
                (true, false),
                (row.Cells.Waits["NewOrder"] == WaitCell.Sealed, row.Cells.Waits["Delivery"] == WaitCell.Sealed)));
        Assert.All(
            full.Find("NewOrder")!.Rows,
            row => Assert.Equal(
                (true, true),
                (row.Cells.Waits["Payment"] == WaitCell.Sealed, row.Cells.Waits["Delivery"] == WaitCell.Sealed)));
    }

    [Fact]
    public void Of_one_group_alone_it_is_ic3_but_for_locks_that_nobody_meets()
    {
        var (callas, ic3) =
            (Tpcc([
                "NewOrder", "Payment", "Delivery"
            ]),
                new DocumentPolicy(new PolicyDocument
                {
                    Name = "i", Rule = "ic3", Catalogue = ArtifactWorkloads.Get("tpcc")
                }).Materialize());
        foreach (var type in callas.Types)
        {
            foreach (var row in type.Rows)
            {
                var other = ic3.Find(type.Type)!.Find(row.Site)!;
                Assert.All(callas.Types, on => Assert.Equal(other.Waits[on.Type], row.Cells.Waits[on.Type]));
                Assert.Equal(
                    other with { Waits = row.Cells.Waits, WaitForHolders = true, HoldersByType = true }, row.Cells);
            }
        }
    }

    [Fact]
    public void What_is_spelled_out_is_a_file_that_says_the_same()
    {
        var full = Tpcc(["Payment", "Delivery"]);
        Assert.Equal(full, PolicyReader.Parse(PolicyWriter.Write(full), "callas.json"));
    }

    private static PolicyDocument Tpcc(params string[] group) =>
        new DocumentPolicy(BuiltinPolicies.Get("callas").Document with
        {
            Catalogue = ArtifactWorkloads.Get("tpcc"),
            Groups = group.Length == 0 ? [] : [new TypeGroup { Types = group }],
        }).Materialize();
}
