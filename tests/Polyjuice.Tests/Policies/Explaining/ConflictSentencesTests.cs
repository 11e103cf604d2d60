using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Explaining;

public class ConflictSentencesTests
{
    [Fact]
    public void A_wait_before_which_nothing_is_shared_is_left_out()
    {
        // A first access has no dependencies yet.
        var first = new PolicyCells { Waits = Teller.WaitsFor(Teller.Pay, Teller.Put) };
        var explanation = PolicyExplanation.Of(Teller.Table(first, PolicyCells.Plain, PolicyCells.Plain, first), []);

        Assert.Contains(explanation.Sentences("Everywhere"), text =>
            text.Contains("waits for nobody", StringComparison.Ordinal));
        Assert.Equal(
            [
                "It waits for nobody: it expects that aborted work costs less than waits would.",
                "2 waits are left out here, because nothing is shared before them: nobody can be waited for there.",
            ],
            explanation.Sentences(PolicyExplanation.ExpectationsHeading));
    }

    [Fact]
    public void A_wait_behind_which_nothing_is_shared_keeps_an_order_among_others_alone()
    {
        var sealedGet = new PolicyCells { Waits = new PolicyWaits(WaitCell.No, [new(Teller.Get, WaitCell.Sealed)]) };

        Assert.Equal(
            [
                "Pay waits for Get (met at balance), with whom it shares nothing from there on: "
                + "that pays only by keeping an order among others that both meet.",
            ],
            Of(PolicyCells.Plain, PolicyCells.Plain, sealedGet, PolicyCells.Plain));
    }

    [Fact]
    public void Types_whose_holders_are_waited_for_are_told_though_nobody_was_met_before()
    {
        var held =
            new PolicyCells { WaitForHolders = true, HoldersByType = true,
            Waits = new PolicyWaits(WaitCell.No, [new(Teller.Get, WaitCell.Sealed)]) };
        var explanation =
            PolicyExplanation.Of(Teller.Table(held, PolicyCells.Plain, PolicyCells.Plain, PolicyCells.Plain), []);

        Assert.Contains(explanation.Sentences("ITeller.Pay, 3 sites"), text =>
            text.Contains("waits for holders of Get", StringComparison.Ordinal));
        Assert.Equal(["Pay waits for holders of balance: it expects Get there."],
            explanation.Sentences(PolicyExplanation.ExpectationsHeading));
    }

    [Fact]
    public void Who_passes_a_loop_may_have_met_others_there()
    {
        var loop = Teller.Catalogue.Types[0].Sites[0] with { Loop = true };
        var waits = new PolicyCells { Waits = Teller.WaitsFor(Teller.Pay, Teller.Take) };
        var table = Teller.Table(waits, PolicyCells.Plain, PolicyCells.Plain, PolicyCells.Plain) with
        {
            Catalogue =
                new SiteCatalogue { Version = 1,
                Types = [Teller.Catalogue.Types[0] with { Sites = [loop, .. Teller.Catalogue.Types[0].Sites.Skip(1)] },
                Teller.Catalogue.Types[1]] },
        };

        Assert.Equal(
            [
                "Pay waits for another Pay (met at balance) until its site 1 (balance update): "
                + "it expects to meet it again at balance.",
            ],
            PolicyExplanation.Of(table, []).Sentences(PolicyExplanation.ExpectationsHeading));
    }

    [Fact]
    public void Holders_are_expected_where_they_are_waited_for()
    {
        var holders = new PolicyCells { WaitForHolders = true };

        Assert.Equal(
            ["Pay waits for holders of balance and log: it expects Pay and Get there.",
                "Get waits for holders of balance: it expects Pay there."],
            Of(holders, PolicyCells.Plain, holders, holders));
        Assert.Equal(
            ["It waits for nobody: it expects that aborted work costs less than waits would."],
            Of(holders with { HoldersByType = true }, PolicyCells.Plain, PolicyCells.Plain, PolicyCells.Plain));
    }

    private static IReadOnlyList<string> Of(PolicyCells take, PolicyCells put, PolicyCells note, PolicyCells look) =>
        PolicyExplanation.Of(Teller.Table(take, put, note, look), []).Sentences(PolicyExplanation.ExpectationsHeading);
}
