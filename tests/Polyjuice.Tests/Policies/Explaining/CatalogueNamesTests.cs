using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Explaining;

public class CatalogueNamesTests
{
    private static readonly CatalogueType s_load = new()
    {
        Name = "IStock.Load",
        Sites = [.. new[] { "Stock.items", "Page.items", "Log.line", "Log.line", "Log.page", "Log.book", "Log.seal" }
            .Select((state, i) => new CatalogueSite($"site {i}", state, i == 0 ? AccessKind.Read : AccessKind.Update))],
    };

    private static readonly CatalogueNames s_names = new(new SiteCatalogue
    {
        Version = 1,
            Types = [s_load, new CatalogueType { Name = "IPage.Load" }, new CatalogueType { Name = "IShop.Sell" },
            new CatalogueType { Name = "Client" }],
    });

    [Fact]
    public void Names_are_short_unless_that_would_be_said_of_two()
    {
        Assert.Equal(["Sell", "Client", "IStock.Load", "IPage.Load"],
            new[] { "IShop.Sell", "Client", "IStock.Load", "IPage.Load" }.Select(s_names.Type));
        Assert.Equal(["Stock.items", "line"], new[] { "Stock.items", "Log.line" }.Select(s_names.State));
        Assert.Equal("Who.Knows", s_names.Type("Who.Knows"));
    }

    [Fact]
    public void Sites_are_told_by_their_numbers_and_states()
    {
        Assert.Equal("site 1 (Stock.items read)", s_names.Site(s_load, 0));
        Assert.Equal("Site 3 (line update)", s_names.Sites(s_load, [2]));
        Assert.Equal("Sites 2–4 and 6 (Page.items, line, book)", s_names.Sites(s_load, [1, 2, 3, 5]));
        Assert.Equal("Sites 2–7 (Page.items, line, page, book, …)", s_names.Sites(s_load, [1, 2, 3, 4, 5, 6]));
    }
}
