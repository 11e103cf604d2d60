using FsCheck;
using FsCheck.Fluent;
using Polyjuice.Policies;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Tests.Policies;

public class DocumentPolicyTests
{
    [Fact]
    public void A_compiled_table_agrees_with_its_document_cell_by_cell() => Prop.ForAll(
        Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
        seed =>
        {
            var document = RandomPolicies.Document(seed) with { Rule = null };
            var registry = RandomRegistry(seed, document.Catalogue);
            var table = new DocumentPolicy(document).Compile(registry, 7);
            Assert.Equal((document.Name, 7), (table.Name, table.Version));
            foreach (var site in registry.Sites)
            {
                var type = document.Find(site.Key.Type);
                var cells = type?.Find(site.Key.Name) ?? type?.Default ?? document.Default!;
                AssertRow(document, registry, table, cells, table.RowOf(site.Id, site.TypeId));
                AssertPosition(document, registry, table, site);
            }

            for (var t = 0; t < registry.Types.Count; t++)
            {
                AssertRow(
                    document,
                    registry,
                    table,
                    document.Find(registry.Types[t])?.Default ?? document.Default!,
                    table.RowOf(int.MaxValue, t));
                var backoff = document.BackoffOf(registry.Types[t]);
                for (var aborts = 0; aborts < 5; aborts++)
                {
                    Assert.Equal(
                        backoff.Committed[Math.Min(aborts, 2)], table.BackoffMultiplier(t, committed: true, aborts));
                    Assert.Equal(
                        backoff.Aborted[Math.Min(aborts, 2)], table.BackoffMultiplier(t, committed: false, aborts));
                }
            }

            AssertRow(document, registry, table, document.Default!, table.RowOf(int.MaxValue, int.MaxValue));
        }).Holds();

    [Fact]
    public void A_policy_and_its_materialized_form_compile_to_the_same_rows() => Prop.ForAll(
        Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
        seed =>
        {
            var document = RandomPolicies.Document(seed);
            var registry = RandomRegistry(seed, document.Catalogue);
            var full = PolicyReader.Parse(
                PolicyWriter.Write(new DocumentPolicy(document).Materialize(registry)), "full.json");
            var (table, spelledOut) =
                (new DocumentPolicy(document).Compile(registry, 1), new DocumentPolicy(full).Compile(registry, 1));
            foreach (var site in registry.Sites)
            {
                var (row, same) = (table.RowOf(site.Id, site.TypeId), spelledOut.RowOf(site.Id, site.TypeId));
                Assert.Equal(row.Actions, same.Actions);
                for (var t = 0; t <= registry.Types.Count; t++)
                    Assert.Equal(table.WaitOf(row, t), spelledOut.WaitOf(same, t));
                Assert.NotNull(full.Find(site.Key.Type)!.Find(site.Key.Name));
            }
        }).Holds();

    [Fact]
    public void Sites_stand_where_the_catalogue_puts_them_whatever_order_they_were_seen_in()
    {
        var registry = new SiteRegistry();
        var (note, balance, withdraw) =
            (registry.GetOrAddSite(
                Samples.Note), registry.GetOrAddSite(Samples.Balance), registry.GetOrAddSite(Samples.Withdraw));
        var table = new DocumentPolicy(Samples.Bank).Compile(registry, 1);
        Assert.Equal(
            (2, 0, 0), (table.PositionOf(note.Id), table.PositionOf(withdraw.Id), table.PositionOf(balance.Id)));

        // The wait is for the second of three sites, which this process has not even seen.
        Assert.Equal(2, table.WaitOf(table.RowOf(withdraw.Id, withdraw.TypeId), withdraw.TypeId));
        Assert.Equal(PolicyTable.UntilSealed, table.WaitOf(table.RowOf(withdraw.Id, withdraw.TypeId), balance.TypeId));
        Assert.True(table.IsWatched(withdraw.TypeId));
        Assert.False(table.IsWatched(balance.TypeId));
    }

    [Fact]
    public void Types_that_the_catalogue_lacks_have_their_sites_in_order_of_first_sight()
    {
        var registry = new SiteRegistry();
        registry.GetOrAddSite(Samples.Withdraw);
        var second = registry.GetOrAddSite(new SiteKey("New", "New", "A.b", AccessKind.Read, "second"));
        var first = registry.GetOrAddSite(new SiteKey("New", "New", "A.a", AccessKind.Read));
        first.MarkRepeated();
        var table = new DocumentPolicy(Samples.Bank).Compile(registry, 1);
        Assert.Equal((0, 1), (table.PositionOf(second.Id), table.PositionOf(first.Id)));
        Assert.Equal((false, true), (table.IsLoop(second.Id), table.IsLoop(first.Id)));
        Assert.Equal(PolicyActions.ReadDirty | PolicyActions.WritePublic, table.RowOf(first.Id, first.TypeId).Actions);
    }

    [Fact]
    public void A_site_that_the_catalogue_of_its_type_lacks_has_the_default_row_and_no_position()
    {
        var registry = new SiteRegistry();
        var site = registry.GetOrAddSite(Samples.Withdraw with { Label = "new" });
        var table = new DocumentPolicy(Samples.Bank).Compile(registry, 1);
        Assert.Equal(PolicyTable.UnknownPosition, table.PositionOf(site.Id));
        Assert.Equal(PolicyActions.WaitForHolders, table.RowOf(site.Id, site.TypeId).Actions);
    }

    [Fact]
    public void A_row_with_its_waits_off_does_not_wait_and_keeps_its_cells()
    {
        var registry = new SiteRegistry();
        var site = registry.GetOrAddSite(Samples.Deposit);
        var balance = registry.GetOrAddSite(Samples.Balance);
        var table = new DocumentPolicy(Samples.Bank).Compile(registry, 1);
        Assert.Equal(PolicyTable.NoWait, table.WaitOf(table.RowOf(site.Id, site.TypeId), balance.TypeId));
        Assert.Equal(WaitCell.Sealed, Samples.Bank.Find("Transfer")!.Find(Samples.Deposit.Name)!.Waits["Balance"]);
    }

    [Fact]
    public void A_site_is_a_loop_if_the_catalogue_says_so_or_it_was_seen_to_be_one()
    {
        var registry = new SiteRegistry();
        var (withdraw, deposit, note) =
            (registry.GetOrAddSite(
                Samples.Withdraw), registry.GetOrAddSite(Samples.Deposit), registry.GetOrAddSite(Samples.Note));
        note.MarkRepeated();
        var table = new DocumentPolicy(Samples.Bank).Compile(registry, 1);
        Assert.Equal((false, true, true), (table.IsLoop(withdraw.Id), table.IsLoop(deposit.Id), table.IsLoop(note.Id)));
    }

    [Fact]
    public void A_policy_store_recompiles_a_rule_when_sites_are_seen()
    {
        var registry = new SiteRegistry();
        var store = new PolicyStore(registry, BuiltinPolicies.Get("ic3"));
        var balance = registry.GetOrAddSite(Samples.Balance);
        registry.GetOrAddSite(Samples.Withdraw);
        var deposit = registry.GetOrAddSite(Samples.Deposit);
        var table = store.Current;
        Assert.Equal(2, table.WaitOf(table.RowOf(deposit.Id, deposit.TypeId), deposit.TypeId));
        Assert.Equal(1, table.WaitOf(table.RowOf(deposit.Id, deposit.TypeId), balance.TypeId));
    }

    [Fact]
    public void A_document_overrides_its_rule_row_by_row()
    {
        var document = Samples.Bank with
        {
            Rule = "ic3", Default = null,
            Types =
            [
                new TypePolicy { Type = "Transfer", Rows = [new SiteRow(Samples.Deposit.Name, PolicyCells.Plain)] }
            ]
        };
        var registry = new SiteRegistry();
        var (deposit, note) = (registry.GetOrAddSite(Samples.Deposit), registry.GetOrAddSite(Samples.Note));
        var table = new DocumentPolicy(document).Compile(registry, 1);
        Assert.Equal(PolicyActions.None, table.RowOf(deposit.Id, deposit.TypeId).Actions);
        Assert.Equal(
            PolicyActions.HasWaits | PolicyActions.ReadDirty | PolicyActions.WritePublic,
            table.RowOf(note.Id, note.TypeId).Actions);
    }

    private static SiteRegistry RandomRegistry(int seed, SiteCatalogue catalogue)
    {
        var random = new Random(seed ^ 0x5bd1e995);
        var registry = new SiteRegistry();
        if (random.Next(8) == 0) return registry;
        for (var i = random.Next(20); i > 0; i--)
        {
            var site = registry.GetOrAddSite(
                RandomPolicies.Key(random, random.Next(catalogue.Types.Count + 2), random.Next(8)));
            if (random.Next(5) == 0) site.MarkRepeated();
        }

        registry.GetOrAddType("a type without sites");
        return registry;
    }

    private static void AssertRow(
        PolicyDocument document, SiteRegistry registry, PolicyTable table, PolicyCells cells, PolicyRow row)
    {
        Assert.Equal(cells.Read == ReadVersion.Dirty, row.Actions.HasFlag(PolicyActions.ReadDirty));
        Assert.Equal(cells.Write == WriteVisibility.Public, row.Actions.HasFlag(PolicyActions.WritePublic));
        Assert.Equal(cells.EarlyValidation, row.Actions.HasFlag(PolicyActions.EarlyValidation));
        Assert.Equal(cells.WaitForHolders, row.Actions.HasFlag(PolicyActions.WaitForHolders));
        Assert.Equal(cells.WaitForHolders && cells.HoldersByType, row.Actions.HasFlag(PolicyActions.HoldersByType));
        Assert.Equal(
            cells.WaitForHolders && cells.Conflict == HolderConflict.Die, row.Actions.HasFlag(PolicyActions.Die));
        Assert.Equal(
            cells.WaitForHolders && cells.Conflict == HolderConflict.Wound, row.Actions.HasFlag(PolicyActions.Wound));
        var waits = false;
        for (var t = 0; t < registry.Types.Count; t++)
        {
            var cell = cells.WaitsOff ? WaitCell.No : cells.Waits[registry.Types[t]];
            var expected = cell.Until switch
            {
                WaitUntil.No => PolicyTable.NoWait,
                WaitUntil.Sealed => PolicyTable.UntilSealed,
                _ => (ushort)(document.Catalogue.Find(registry.Types[t])!.PositionOf(cell.Site!) + 1),
            };
            Assert.Equal(expected, table.WaitOf(row, t));
            waits |= expected != PolicyTable.NoWait;
        }

        var rest = cells.WaitsOff ? WaitCell.No : cells.Waits.Rest;
        Assert.Equal(
            rest == WaitCell.Sealed ? PolicyTable.UntilSealed : PolicyTable.NoWait, table.WaitOf(row, int.MaxValue));
        Assert.Equal(waits || rest == WaitCell.Sealed, row.Actions.HasFlag(PolicyActions.HasWaits));
    }

    private static void AssertPosition(PolicyDocument document, SiteRegistry registry, PolicyTable table, SiteInfo site)
    {
        var expected = document.Catalogue.Find(site.Key.Type) is { } type
            ? type.PositionOf(site.Key.Name)
            : registry.Sites.Where(other => other.TypeId == site.TypeId).TakeWhile(other => other.Id != site.Id)
                .Count();
        Assert.Equal(expected, table.PositionOf(site.Id));
    }
}
