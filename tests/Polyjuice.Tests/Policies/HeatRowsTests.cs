using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;

namespace Polyjuice.Tests.Policies;

public sealed class HeatRowsTests
{
    private static readonly PolicyCells Hot = new()
    {
        Read = ReadVersion.Dirty, Write = WriteVisibility.Public, Waits = new PolicyWaits(WaitCell.Sealed, [])
    };

    [Fact]
    public void A_row_for_hot_participants_is_written_into_its_row_and_read_back_the_same()
    {
        var document = WithHeat(Samples.Bank);
        var text = PolicyWriter.Write(document);
        Assert.Contains("\"schema\": 3,", text);
        Assert.Contains(
            "\"heat\": { \"read\": \"dirty\", \"write\": \"public\", \"earlyValidation\": false, \"waitForHolders\": "
            + "false, \"waits\": { \"*\": \"sealed\" } } }",
            text);
        Assert.Equal(document, PolicyReader.Parse(text, "bank.json"));
        Assert.Equal(text, PolicyWriter.Write(PolicyReader.Parse(text, "bank.json")));
    }

    [Fact]
    public void A_default_row_may_have_one_too()
    {
        var document = PolicyReader.Parse(
            "{ \"schema\": 3, \"name\": \"cormcc\", \"default\": { \"heat\": { \"waitForHolders\": true } } }",
            "cormcc.json");
        Assert.True(document.Default!.Heat!.WaitForHolders);
        Assert.True(document.HasHeat);
        Assert.Equal(document, PolicyReader.Parse(PolicyWriter.Write(document), "cormcc.json"));
    }

    [Fact]
    public void What_has_no_such_rows_is_written_as_before() =>
        Assert.Contains("\"schema\": 1,", PolicyWriter.Write(Samples.Bank));

    [Fact]
    public void A_row_for_hot_participants_has_none_of_its_own()
    {
        var refused = Assert.Throws<PolicyFormatException>(
            () => PolicyReader.Parse(
                "{ \"schema\": 3, \"name\": \"x\", \"default\": { \"heat\": { \"heat\": {} } } }", "x.json"));
        Assert.Contains("default.heat.heat", refused.Message);
    }

    [Fact]
    public void The_compiled_table_has_the_hot_row_where_there_is_one_and_the_ordinary_one_elsewhere()
    {
        var document = WithHeat(Samples.Bank);
        var registry = new SiteRegistry();
        foreach (var type in document.Catalogue.Types)
        {
            foreach (var site in type.Sites) registry.GetOrAddSite(KeyOf(type.Name, site));
        }

        var table = new DocumentPolicy(document).Compile(registry, 1);
        Assert.True(table.HasHeat);
        var (first, second) = (registry.Sites[0], registry.Sites[1]);
        Assert.Equal(
            PolicyActions.ReadDirty | PolicyActions.WritePublic | PolicyActions.HasWaits,
            table.HotRowOf(first.Id, first.TypeId).Actions);
        Assert.Equal(PolicyTable.UntilSealed, table.WaitOf(table.HotRowOf(first.Id, first.TypeId), first.TypeId));
        Assert.NotEqual(table.RowOf(first.Id, first.TypeId), table.HotRowOf(first.Id, first.TypeId));
        Assert.Equal(table.RowOf(second.Id, second.TypeId), table.HotRowOf(second.Id, second.TypeId));
        Assert.Equal(table.RowOf(int.MaxValue, 0), table.HotRowOf(int.MaxValue, 0));
        Assert.False(new DocumentPolicy(Samples.Bank).Compile(registry, 1).HasHeat);
    }

    [Fact]
    public void Waits_of_hot_rows_alone_are_reason_enough_to_track_dependencies()
    {
        var document = PolicyReader.Parse(
            "{ \"schema\": 3, \"name\": \"x\", \"default\": { \"heat\": { \"earlyValidation\": true, \"waits\": { "
            + "\"*\": \"sealed\" } } } }",
            "x.json");
        var table = new DocumentPolicy(document).Compile(new SiteRegistry(), 1);
        Assert.True(table.HasWaits);
        Assert.True(table.HasEarlyValidation);
    }

    [Fact]
    public void The_grid_shows_them_below_their_rows()
    {
        var lines = PolicyGrid.Render(WithHeat(Samples.Bank)).Split('\n');
        var at = Array.FindIndex(lines, line => line.Contains("while hot", StringComparison.Ordinal));
        Assert.Contains(Samples.Bank.Types[0].Rows[0].Site, lines[at - 1]);
        Assert.Contains("dirty", lines[at]);
        Assert.Contains("public", lines[at]);
        Assert.Contains(lines, line => line.StartsWith("while hot:", StringComparison.Ordinal));
        Assert.DoesNotContain("while hot", PolicyGrid.Render(Samples.Bank));
    }

    [Fact]
    public void A_comparison_names_the_cells_that_differ_while_hot()
    {
        var differences = PolicyDiff.Compare(WithHeat(Samples.Bank), Samples.Bank);
        Assert.NotEmpty(differences);
        Assert.All(differences, difference => Assert.EndsWith(", while hot", difference.Where));
        Assert.Empty(PolicyDiff.Compare(WithHeat(Samples.Bank), WithHeat(Samples.Bank)));

        // The same cells for hot ones are no difference.
        var rows = Samples.Bank.Types[0].Rows;
        Assert.Empty(
            PolicyDiff.Compare(WithRow(Samples.Bank, rows[0].Cells with { Heat = rows[0].Cells }), Samples.Bank));
    }

    [Fact]
    public void The_artifacts_format_cannot_say_it()
    {
        var import = new PolicyDocument
        {
            Name = "x", Catalogue = ArtifactWorkloads.Get("micro"), Default = PolicyCells.Plain with { Heat = Hot }
        };
        Assert.Contains(
            "no rows for hot participants",
            Assert.Throws<PolicyFormatException>(() => ArtifactWriter.Write(import)).Message);
    }

    private static PolicyDocument WithHeat(PolicyDocument document) =>
        WithRow(document, document.Types[0].Rows[0].Cells with { Heat = Hot });

    private static PolicyDocument WithRow(PolicyDocument document, PolicyCells cells)
    {
        var type = document.Types[0];
        return document with
        {
            Types =
            [
                type with { Rows = [type.Rows[0] with { Cells = cells }, .. type.Rows.Skip(1)] },
                .. document.Types.Skip(1)
            ]
        };
    }

    private static SiteKey KeyOf(string type, CatalogueSite site) =>
        new(type, site.Name.Split(' ')[0], site.State, site.Kind);
}
