using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;
using Polyjuice.Tests.Policies.Artifact;

namespace Polyjuice.Tests.Policies.Rules;

public class Ic3RuleTests
{
    [Fact]
    public void All_reads_are_dirty_and_pieces_expose_and_validate_at_their_ends()
    {
        var table = new RuleTable("ic3", ("T", "a:r a:u b:u c:r c:u"));
        Assert.All(Enumerable.Range(1, 5), site => Assert.Equal(ReadVersion.Dirty, table.Row("T", site).Read));
        Assert.Equal(
            [false, true, true, false, true],
            Enumerable.Range(1, 5).Select(site => table.Row("T", site).Write == WriteVisibility.Public));
        Assert.Equal(
            [false, true, true, false, false],
            Enumerable.Range(1, 5).Select(site => table.Row("T", site).EarlyValidation));
    }

    [Fact]
    public void An_update_waits_for_the_dependencies_last_access_of_the_state_and_a_read_for_their_last_update()
    {
        var table = new RuleTable("ic3", ("T", "x:u a:u"), ("R", "x:u a:r"), ("X", "x:u a:u a:r b:u"));
        Assert.Equal(3, table.Wait("T", 2, "X"));
        Assert.Equal(2, table.Wait("R", 2, "X"));
        Assert.Equal(2, table.Wait("T", 2, "R"));
        Assert.Equal(2, table.Wait("T", 2, "T"));
    }

    [Fact]
    public void A_dependency_that_does_not_touch_a_contended_state_must_be_past_all_contended_ones()
    {
        var table = new RuleTable("ic3", ("T", "x:u a:u"), ("X", "x:u y:r x:u z:r"));
        Assert.Equal(3, table.Wait("T", 2, "X"));
    }

    [Fact]
    public void Nobody_waits_at_a_first_site_or_for_states_without_conflict()
    {
        var table = new RuleTable("ic3", ("T", "a:u items:r a:u"), ("U", "items:r a:u"));
        Assert.Equal((0, 0), (table.Wait("T", 1, "T"), table.Wait("T", 1, "U")));
        Assert.Equal((0, 0), (table.Wait("T", 2, "T"), table.Wait("T", 2, "U")));
        Assert.Equal((3, 2), (table.Wait("T", 3, "T"), table.Wait("T", 3, "U")));
    }

    [Fact]
    public void A_piece_with_a_loop_exposes_each_time_and_leaves_validation_to_the_next()
    {
        var table = new RuleTable("ic3", ("MultiTransfer", "checking:u checking:u* log:u end:u"));
        Assert.Equal(
            (WriteVisibility.Private, false),
            (table.Row("MultiTransfer", 1).Write, table.Row("MultiTransfer", 1).EarlyValidation));
        Assert.Equal(
            (WriteVisibility.Public, false),
            (table.Row("MultiTransfer", 2).Write, table.Row("MultiTransfer", 2).EarlyValidation));
        Assert.True(table.Row("MultiTransfer", 3).EarlyValidation);
        Assert.Equal(2, table.Wait("MultiTransfer", 2, "MultiTransfer"));
    }

    [Fact]
    public void Without_pieces_the_waits_are_the_same_and_each_access_exposes_at_once()
    {
        var (pieces, eager) = (new RuleTable("ic3", Types()), new RuleTable("ic3-eager", Types()));
        for (var site = 1; site <= 3; site++)
            Assert.Equal(
                pieces.Row("T", site) with { Write = WriteVisibility.Public, EarlyValidation = false },
                eager.Row("T", site));

        static (string, string)[] Types() => [("T", "a:r a:u b:u"), ("U", "b:u a:u")];
    }

    [Fact]
    public void A_site_that_the_catalogue_lacks_exposes_at_once_and_makes_its_state_contended()
    {
        var registry = new SiteRegistry();
        var unlisted = registry.GetOrAddSite(Samples.Note with { Path = "Transfer>New" });
        var listed = registry.GetOrAddSite(Samples.Note);
        var table = new DocumentPolicy(Samples.Bank with { Rule = "ic3", Default = null, Types = [] }).Compile(
            registry, 1);
        Assert.Equal(
            PolicyActions.ReadDirty | PolicyActions.WritePublic | PolicyActions.HasWaits,
            table.RowOf(unlisted.Id, unlisted.TypeId).Actions);
        Assert.Equal(3, table.WaitOf(table.RowOf(listed.Id, listed.TypeId), listed.TypeId));
    }

    /// <summary>
    /// The authors' own encoding of IC3 in this action space. It puts a piece's waits in the row after the piece,
    /// before its validation, where this rule puts them before the piece; and it has Delivery's whole body waited for
    /// where NewOrder inserts order lines, which is stricter than IC3.
    /// </summary>
    [Fact]
    public void The_waits_for_conflicting_accesses_are_those_of_the_artifacts_ic3()
    {
        var seed = ArtifactReader.Read(ArtifactFormatTests.Read("seeds/input-RL-ic3-new-tpcc.txt"), "ic3.txt", "tpcc");
        var rule = new DocumentPolicy(seed with { Rule = "ic3", Types = [] }).Materialize();
        var compared = 0;
        foreach (var type in seed.Catalogue.Types)
        {
            for (var i = 1; i + 1 < type.Sites.Count; i++)
            {
                var (piece, next) = (type.Sites[i], seed.Find(type.Name)!.Rows[i + 1].Cells);
                if (next.WaitsOff || type.Sites[i + 1].State == piece.State) continue;
                foreach (var dependency in seed.Catalogue.Types)
                {
                    var conflicts = dependency.Sites.Any(
                        site => site.State == piece.State
                            && (site.Kind == AccessKind.Update || piece.Kind == AccessKind.Update));
                    if (!conflicts || (piece.Name, dependency.Name) == ("NewOrder OrderLine update", "Delivery"))
                        continue;
                    Assert.Equal(
                        next.Waits[dependency.Name], rule.Find(type.Name)!.Find(piece.Name)!.Waits[dependency.Name]);
                    compared++;
                }
            }
        }

        Assert.True(compared >= 20, $"{compared} cells");
    }
}
