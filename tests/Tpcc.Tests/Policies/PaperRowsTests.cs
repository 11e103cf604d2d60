using Polyjuice.Lab.Clusters;
using Polyjuice.Lab.Running;
using Polyjuice.Lab.Workloads;
using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;
using Tpcc.Policies;
using Tpcc.Workload;

namespace Tpcc.Tests.Policies;

public class PaperRowsTests
{
    public static TheoryData<string> Tables => ["48th-1wh.txt", "48th-4wh.txt", "1th-1wh.txt"];

    [Fact]
    public void Every_row_of_the_paper_has_its_site()
    {
        var theirs = ArtifactWorkloads.Get("tpcc").Types;
        Assert.Equal(26, theirs.Sum(type => type.Sites.Count));
        Assert.Equal(theirs.Select(type => type.Name), PaperRows.Catalogue.Types.Select(type => type.ArtifactType));
        Assert.All(PaperRows.Catalogue.Types, type => Assert.Equal(
            Enumerable.Range(1, theirs.Single(t => t.Name == type.ArtifactType).Sites.Count),
            type.Sites.SelectMany(site => site.Rows).Distinct().Order()));
        Assert.All(
            PaperRows.Catalogue.Types,
            type => Assert.All(type.Sites, site => Assert.Equal(site.Rows.Order(), site.Rows)));
    }

    [Fact]
    public void A_folded_row_reads_as_its_first_row_exposes_and_validates_as_its_last_and_waits_for_what_any_waits_for()
    {
        var imported = Import("48th-1wh.txt");
        var rows = imported.Find("NewOrder")!.Rows.Select(row => row.Cells).ToList();
        var folded = PaperRows.Catalogue.Fold(imported).Types[0].Rows;
        Assert.Equal(rows[0].Read, folded[0].Cells.Read);

        // Rows 2 and 3, a read and an update of DISTRICT.
        Assert.Equal("IDistrictGrain.NewOrder DistrictGrain.district update", folded[1].Site);
        Assert.Equal(
            (rows[1].Read, rows[2].Write, rows[2].EarlyValidation),
            (folded[1].Cells.Read, folded[1].Cells.Write, folded[1].Cells.EarlyValidation));

        // Rows 7, 8 and 10: NEW-ORDER, ORDER, ORDER-LINE.
        Assert.Equal(
            (rows[6].Read, rows[9].Write, rows[9].EarlyValidation),
            (folded[4].Cells.Read, folded[4].Cells.Write, folded[4].Cells.EarlyValidation));
    }

    [Theory]
    [InlineData(0, 0, "no")]
    [InlineData(2, 0, "IDistrictGrain.NewOrder DistrictGrain.district update")]
    [InlineData(3, 5, "IDistrictGrain.NewOrder>IStockGrain.Take StockGrain.stock update")]
    // Access 10 is past the index of orders too, which is site 6 here.
    [InlineData(10, 1, "IDistrictGrain.NewOrder>ICustomerGrain.PlaceOrder CustomerGrain.lastOrder update")]
    [InlineData(12, 3, "sealed")]
    public void A_wait_is_for_the_last_site_that_stands_for_what_is_waited_for(int first, int second, string expected)
    {
        var imported = Import("48th-1wh.txt");
        var theirs = imported.Catalogue.Types[0].Sites;
        WaitCell Cell(int access) =>
            access == 0 ? WaitCell.No : access > theirs.Count ? WaitCell.Sealed : WaitCell.For(theirs[access - 1].Name);
        var payment = imported.Types[1];
        var changed = payment with
        {
            Rows = [.. payment.Rows.Select((row, index) => row with
            {
                Cells = row.Cells with
                {
                    WaitsOff = false,
                    Waits = new PolicyWaits(
                        WaitCell.No, [new("NewOrder", Cell(index == 0 ? first : index == 1 ? second : 0))])
                },
            })],
        };
        var folded = PaperRows.Catalogue.Fold(
            imported with { Types = [imported.Types[0], changed, imported.Types[2]] });
        Assert.Equal(expected, folded.Types[1].Rows[0].Cells.Waits["IDistrictGrain.NewOrder"].ToString());
    }

    [Fact]
    public void Only_tables_over_the_papers_accesses_can_be_folded() =>
        Assert.Throws<ArgumentException>(() => PaperRows.Catalogue.Fold(BuiltinPolicies.Get("occ").Document));

    [Theory]
    [MemberData(nameof(Tables))]
    public async Task An_imported_table_names_the_sites_that_the_grains_have_and_all_conditions_hold(string file)
    {
        var document = Folded(file);
        Assert.Equal(document, PolicyReader.Parse(PolicyWriter.Write(document), file));
        var policy = new SeenSites(new DocumentPolicy(document));
        var plan = new BenchmarkPlan
        {
            Workload = TpccWorkload.Definition,
            Policies = [policy],
            Clients = 16,
            OperationsPerInterval = 300,
            Parameters = new WorkloadParameters { Scale = 0.005 },
        };
        var result = await new BenchmarkRunner(BenchmarkClusters.StartAsync, new SilentObserver()).RunAsync(
            plan, CancellationToken.None);
        Assert.True(result.InvariantHeld, string.Join("; ", result.Checks.Select(c => c.Check.Description)));
        Assert.True(result.Rows[0].Committed > 280, $"{result.Rows[0].Committed} committed");
        Assert.All(document.Catalogue.Types, type => Assert.Equal(
            type.Sites.Select(site => site.Name).Order(StringComparer.Ordinal), policy.SitesOf(type.Name)));
    }

    /// <summary>The artifact's table of a file, over the sample's sites.</summary>
    internal static PolicyDocument Folded(string file) => PaperRows.Catalogue.Fold(Import(file));

    private static PolicyDocument Import(string file) =>
        ArtifactReader.Read(File.ReadAllText(Repository.PathOf($"policies/artifact/tpcc/{file}")), file, "tpcc");
}
