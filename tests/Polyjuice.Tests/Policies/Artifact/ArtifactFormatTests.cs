using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Policies.Artifact;

public class ArtifactFormatTests
{
    private const string OlderLayout = "factor-analysis/occ-policy.txt";

    private static readonly string Folder = Path.Combine(AppContext.BaseDirectory, "Policies", "Artifact", "Files");

    public static TheoryData<string> Files => [.. Names()];

    [Theory]
    [MemberData(nameof(Files))]
    public void Every_file_of_the_artifact_comes_back_the_same_up_to_white_space(string file)
    {
        if (file == OlderLayout) return;
        var text = Read(file);
        var imported = ArtifactReader.Read(text, file, WorkloadOf(file));
        var document = PolicyReader.Parse(PolicyWriter.Write(imported), file);
        Assert.Equal(imported, document);
        Assert.Equal(Words(text), Words(ArtifactWriter.Write(document)));
    }

    [Fact]
    public void The_files_are_all_there_and_in_three_shapes()
    {
        var shapes = Names().GroupBy(WorkloadOf).ToDictionary(group => group.Key, group => group.Count());
        Assert.Equal((24, 11, 4), (shapes["tpcc"], shapes["tpce"], shapes["micro"]));
    }

    [Theory]
    [InlineData("tpcc", new[] { 11, 7, 8 })]
    [InlineData("tpce", new[] { 30, 51, 12, 23 })]
    [InlineData("micro", new[] { 8, 8, 8, 8, 8, 8, 8, 8, 8, 8 })]
    public void A_workload_has_a_uniquely_named_site_per_row_of_its_files(string workload, int[] sites)
    {
        var types = ArtifactWorkloads.Get(workload).Types;
        Assert.Equal(sites, types.Select(type => type.Sites.Count));
        Assert.All(
            types, type => Assert.Equal(type.Sites.Count, type.Sites.Select(site => site.Name).Distinct().Count()));
        Assert.Equal(types.Count, types.Select(type => type.Name).Distinct().Count());
    }

    [Fact]
    public void The_older_layout_is_refused_by_name()
    {
        var e = Assert.Throws<PolicyFormatException>(() => ArtifactReader.Read(Read(OlderLayout), OlderLayout, "tpcc"));
        Assert.Equal((OlderLayout, 11), (e.File, e.Line));
        Assert.Contains("\"txn final commit wait\"", e.Message);
        Assert.Contains("not supported", e.Message);
    }

    [Fact]
    public void The_bits_and_cells_of_a_row_mean_what_the_format_says()
    {
        // The file's fourth row is "0 1 1 2 4 3", its fifth "1 0 1 1 0 4".
        var rows = ArtifactReader.Read(Read("tpcc/48th-1wh.txt"), "48th-1wh.txt", "tpcc").Find("NewOrder")!.Rows;
        var item = rows[3].Cells;
        Assert.Equal(
            (ReadVersion.Clean, WriteVisibility.Private, true, false),
            (item.Read, item.Write, item.EarlyValidation, item.WaitsOff));
        Assert.Equal(WaitCell.For("NewOrder District read"), item.Waits["NewOrder"]);
        Assert.Equal(WaitCell.For("Payment District update"), item.Waits["Payment"]);
        Assert.Equal(WaitCell.For("Delivery Order read"), item.Waits["Delivery"]);
        var stock = rows[4].Cells;
        Assert.Equal((ReadVersion.Dirty, WriteVisibility.Public, true), (stock.Read, stock.Write, stock.WaitsOff));
        Assert.Equal(WaitCell.For("NewOrder Warehouse read"), stock.Waits["NewOrder"]);
        Assert.Equal(PolicyWaits.None, stock.EffectiveWaits);
    }

    [Fact]
    public void A_cell_beyond_the_last_access_waits_for_the_commit_and_one_further_is_out_of_range()
    {
        var text = Read("tpcc/1th-1wh.txt").TrimEnd();
        var sealedText = text[..text.LastIndexOf('\n')] + "\n0 1 0 12 8 9\n";
        var document = ArtifactReader.Read(sealedText, "x.txt", "tpcc");
        var waits = document.Find("Delivery")!.Rows[^1].Cells.Waits;
        Assert.Equal(WaitCell.Sealed, waits["NewOrder"]);
        Assert.Equal((WaitCell.Sealed, WaitCell.Sealed), (waits["Payment"], waits["Delivery"]));
        Assert.Equal(Words(sealedText), Words(ArtifactWriter.Write(document)));

        var e = Assert.Throws<PolicyFormatException>(
            () => ArtifactReader.Read(sealedText.Replace("12 8 9", "12 9 9"), "x.txt", "tpcc"));
        Assert.Equal((37, 10), (e.Line, e.Column));
        Assert.Equal("access \"Delivery Customer update\", wait for Payment", e.Field);
        Assert.Contains("9 is out of range", e.Message);
    }

    [Theory]
    [InlineData(1, "txn buffer length", "")]
    [InlineData(2, "many", "buffer size")]
    [InlineData(2, "-1", "buffer size")]
    [InlineData(4, "2 3 2", "commit backoff of Payment")]
    [InlineData(5, "2 2", "commit backoff")]
    [InlineData(12, "2 0 0 0 0 0", "access \"NewOrder Warehouse read\", dirty-and-public bit")]
    [InlineData(13, "0 0 0 0 0 0 0", "access \"NewOrder District read\"")]
    [InlineData(13, "0 0 0 0 -1 0", "access \"NewOrder District read\", wait for Payment")]
    [InlineData(38, "0 0 0 0 0 0", "")]
    public void What_is_wrong_is_named_by_file_line_and_field(int line, string instead, string field)
    {
        var lines = Read("tpcc/1th-1wh.txt").TrimEnd().Split('\n').Append("").ToArray();
        lines[line - 1] = instead;
        var e = Assert.Throws<PolicyFormatException>(
            () => ArtifactReader.Read(string.Join('\n', lines), "x.txt", "tpcc"));
        Assert.Equal(("x.txt", line, field), (e.File, e.Line, e.Field));
    }

    [Fact]
    public void A_file_that_ends_too_early_is_refused() => Assert.Equal(
        37,
        Assert.Throws<PolicyFormatException>(
            () => ArtifactReader.Read(
                string.Join('\n', Read("tpcc/1th-1wh.txt").Split('\n').Take(36)), "x.txt", "tpcc")).Line);

    [Fact]
    public void Another_workloads_file_is_refused_with_the_valid_names()
    {
        var e = Assert.Throws<PolicyFormatException>(
            () => ArtifactReader.Read(Read("tpce/1th-3.0theta.txt"), "x.txt", "tpcc"));
        Assert.Contains("tpcc, tpce, micro", e.Message);
        Assert.Contains(
            "tpcc, tpce, micro", Assert.Throws<ArgumentException>(() => ArtifactWorkloads.Get("ycsb")).Message);
    }

    [Fact]
    public void Random_tables_survive_export_and_import() => Prop.ForAll(
        Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            var catalogue = ArtifactWorkloads.Get("tpcc");
            var document = new PolicyDocument
            {
                Name = "random",
                ArtifactBufferSize = random.Next(20),
                Catalogue = catalogue,
                Types =
                [
                    .. catalogue.Types.Select(
                        type => new TypePolicy
                        {
                            Type = type.Name,
                            Backoff = PolicyBackoff.Binary,
                            Rows = [.. type.Sites.Select(site => new SiteRow(site.Name, Row(random, catalogue)))]
                        })
                ],
            };
            var read = ArtifactReader.Read(ArtifactWriter.Write(document), "random.txt", "tpcc");
            Assert.Equal(document.Types, read.Types);
            Assert.Equal(document.ArtifactBufferSize, read.ArtifactBufferSize);
        }).Holds();

    [Fact]
    public void What_the_format_cannot_say_is_refused()
    {
        var tpcc = ArtifactWorkloads.Get("tpcc");
        Assert.Contains("wait for holders", Refusal(BuiltinPolicies.Get("locking").Document with { Catalogue = tpcc }));
        Assert.Contains(
            "one bit for both", Refusal(BuiltinPolicies.Get("2pl-star").Document with { Catalogue = tpcc }));
        Assert.Contains("no catalogue", Refusal(BuiltinPolicies.Get("occ").Document));

        static string Refusal(PolicyDocument document) =>
            Assert.Throws<PolicyFormatException>(() => ArtifactWriter.Write(document)).Message;
    }

    [Fact]
    public void A_built_in_policy_exports_over_a_workload()
    {
        var text = ArtifactWriter.Write(
            BuiltinPolicies.Get("occ").Document with { Catalogue = ArtifactWorkloads.Get("tpcc") });
        var document = ArtifactReader.Read(text, "occ.txt", "tpcc");
        Assert.All(document.Types.SelectMany(type => type.Rows), row => Assert.Equal(PolicyCells.Plain, row.Cells));
    }

    internal static string Read(string file) => File.ReadAllText(Path.Combine(Folder, file));

    private static IEnumerable<string> Names() =>
        Directory.GetFiles(Folder, "*.txt", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(Folder, path).Replace('\\', '/')).Order(StringComparer.Ordinal);

    private static string WorkloadOf(string file) =>
        file.Split('/')[0] is "tpce" or "micro" ? file.Split('/')[0] : "tpcc";

    private static string[] Words(string text) => text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);

    private static PolicyCells Row(Random random, SiteCatalogue catalogue)
    {
        var cells = RandomPolicies.Cells(random, catalogue);
        return cells with
        {
            Write = cells.Read == ReadVersion.Dirty ? WriteVisibility.Public : WriteVisibility.Private,
            WaitForHolders = false,
            HoldersByType = false,
            Conflict = HolderConflict.Wait,
            Waits = new PolicyWaits(
                WaitCell.No,
                catalogue.Types.Select(type => new KeyValuePair<string, WaitCell>(type.Name, cells.Waits[type.Name]))),
        };
    }
}
