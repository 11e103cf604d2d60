using Polyjuice.Lab.Experiments.Sweeps;
using Polyjuice.Policies;

namespace Polyjuice.Lab.Tests.Experiments.Sweeps;

public class FactorTableTests
{
    private readonly SiteRegistry _registry = new();

    public FactorTableTests()
    {
        foreach (var type in new[] { "A", "B" })
        {
            foreach (var state in new[] { "one", "two", "three" })
                _registry.GetOrAddSite(new SiteKey(type, type, state, AccessKind.Update));
        }
    }

    [Fact]
    public void Each_factor_lacks_its_actions_everywhere_and_nothing_else()
    {
        var whole = Cells(BuiltinPolicies.Get("ic3"));
        Assert.Contains(whole, cell => cell.Actions.HasFlag(PolicyActions.EarlyValidation));
        Assert.Contains(whole, cell => cell.Wait is not (PolicyTable.NoWait or PolicyTable.UntilSealed));
        Assert.Equal(
            whole.Select(cell => (cell.Actions & ~PolicyActions.ReadDirty, cell.Wait)), Cells(Named("clean reads")));
        Assert.Equal(
            whole.Select(cell => (cell.Actions & ~PolicyActions.WritePublic, cell.Wait)),
            Cells(Named("private writes")));
        Assert.Equal(
            whole.Select(cell => (cell.Actions & ~PolicyActions.EarlyValidation, cell.Wait)),
            Cells(Named("late validation")));
        Assert.Equal(
            whole.Select(cell => (cell.Actions & ~PolicyActions.HasWaits, PolicyTable.NoWait)),
            Cells(Named("no waits")));
        Assert.Equal(
            whole.Select(
                cell => (cell.Actions, cell.Wait == PolicyTable.NoWait ? PolicyTable.NoWait : PolicyTable.UntilSealed)),
            Cells(Named("waits until sealed")));
    }

    [Fact]
    public void What_takes_nothing_away_is_the_same_table()
    {
        foreach (var policy in BuiltinPolicies.All)
        {
            var (whole, same) =
                (policy.Compile(
                    _registry, 1), new FactorTable("same", policy, PolicyActions.None).Compile(_registry, 1));
            Assert.Equal(Cells(whole), Cells(same));
            Assert.All(
                _registry.Sites,
                site => Assert.Equal(
                    (whole.HotRowOf(site.Id, site.TypeId).Actions, whole.PositionOf(site.Id)),
                    (same.HotRowOf(site.Id, site.TypeId).Actions, same.PositionOf(site.Id))));
            Assert.Equal(
                (whole.HasHeat, whole.HasWaits, whole.HasEarlyValidation, whole.HasAdmissions),
                (same.HasHeat, same.HasWaits, same.HasEarlyValidation, same.HasAdmissions));
        }
    }

    private static IPolicyCompiler Named(string factor) =>
        FactorTable.Factors(BuiltinPolicies.Get("ic3")).Single(table => table.Name == $"ic3, {factor}");

    private List<(PolicyActions Actions, ushort Wait)> Cells(IPolicyCompiler policy) =>
        Cells(policy.Compile(_registry, 1));

    private List<(PolicyActions Actions, ushort Wait)> Cells(PolicyTable table) =>
        [
            .. from site in _registry.Sites
               let row = table.RowOf(site.Id, site.TypeId)
               from type in Enumerable.Range(0, _registry.Types.Count + 1)
               select (row.Actions, table.WaitOf(row, type))
        ];
}
