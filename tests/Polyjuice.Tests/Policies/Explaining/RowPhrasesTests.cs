using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Explaining;

public class RowPhrasesTests
{
    private static readonly RowPhrases s_phrases = new(Teller.Catalogue.Types, new CatalogueNames(Teller.Catalogue));

    [Theory]
    [InlineData(false, HolderConflict.Die, "does not wait for holders")]
    [InlineData(true, HolderConflict.Wait, "waits for holders")]
    [InlineData(true, HolderConflict.Die, "waits for younger holders, and aborts for older ones")]
    [InlineData(true, HolderConflict.Wound, "waits for older holders, and aborts younger ones")]
    internal void Who_goes_on_at_holders_is_told(bool waits, HolderConflict conflict, string expected) =>
        Assert.Equal(expected, Whole(Aspect.Holders, new PolicyCells { WaitForHolders = waits, Conflict = conflict }));

    [Fact]
    public void Holders_by_type_are_those_of_types_that_are_waited_for_until_sealed()
    {
        var byType = new PolicyCells { WaitForHolders = true, HoldersByType = true };
        var waits =
            new PolicyWaits(WaitCell.No,
            [new(Teller.Pay, WaitCell.Sealed), new(Teller.Get, WaitCell.For(Teller.Look))]);

        Assert.Equal("waits for holders of Pay", Whole(Aspect.Holders, byType with { Waits = waits }));
        Assert.Equal("does not wait for holders", Whole(Aspect.Holders, byType));
        Assert.Equal("waits for holders of Pay, Get and other types",
            Whole(Aspect.Holders, byType with { Waits = PolicyWaits.AllSealed }));
    }

    [Fact]
    public void Hot_participants_are_told_by_what_is_done_otherwise_there()
    {
        var hot =
            new PolicyCells { Heat =
            new PolicyCells { WaitForHolders = true, Waits = Teller.WaitsFor(Teller.Pay, Teller.Put) } };

        Assert.Equal("at hot participants instead waits for holders; waits for Pay until its site 2 (balance update)",
            Whole(Aspect.Heat, hot));
        Assert.Equal(RowPhrases.SameWhenHot, Whole(Aspect.Heat, PolicyCells.Plain));
        Assert.Equal(RowPhrases.SameWhenHot, Whole(Aspect.Heat, new PolicyCells { Heat = PolicyCells.Plain }));
    }

    [Fact]
    public void Waits_are_told_in_a_word_or_type_by_type()
    {
        var some =
            new PolicyCells { Waits =
            new PolicyWaits(WaitCell.Sealed,
            [new(Teller.Pay, WaitCell.For(Teller.Take)), new(Teller.Get, WaitCell.No)]) };

        Assert.Equal("waits for nobody", Whole(Aspect.Waits, PolicyCells.Plain));
        Assert.Equal("waits for nobody", Whole(Aspect.Waits, some with { WaitsOff = true }));
        Assert.Equal("waits until all it depends on are sealed",
            Whole(Aspect.Waits, new PolicyCells { Waits = PolicyWaits.AllSealed }));
        Assert.Equal("", Whole(Aspect.Waits, some));
        Assert.Equal(
            "waits for Pay until its site 1 (balance update), for other types until it is sealed; "
            + "does not wait for Get",
            Fact.Join(s_phrases.Waits(some)));
    }

    private static string Whole(Aspect aspect, PolicyCells row) => s_phrases.Whole(aspect, row).Text;
}
