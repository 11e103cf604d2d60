using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Explaining;

public class GapSentencesTests
{
    [Fact]
    public void Nothing_is_said_if_both_have_the_same() =>
        Assert.Empty(GapSentences.Of(Teller.Catalogue, Teller.Catalogue));

    [Fact]
    public void What_only_one_side_has_is_named()
    {
        var pay = Teller.Catalogue.Types[0];
        var close = new CatalogueSite("ITeller.Pay>IDay.Close Day.end update", "Day.end", AccessKind.Update);
        var ran =
            new SiteCatalogue { Version = 1,
            Types = [pay with { Sites = [pay.Sites[0], pay.Sites[1], close] },
            new CatalogueType { Name = "IDay.Open" }] };

        Assert.Equal(
            [
                "Of the table, these types did not run in the trace, and are left out here: IAccount.Get.",
                $"Of the table, these sites were not passed in the trace: \"{Teller.Note}\".",
                "Of the trace, the table lacks these types, which have its default row: IDay.Open.",
                "Of the trace, the table lacks these sites, which have the default row of their type: "
                + $"\"{close.Name}\".",
            ],
            GapSentences.Of(Teller.Catalogue, ran));
    }
}
