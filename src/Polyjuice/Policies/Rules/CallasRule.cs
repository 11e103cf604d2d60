namespace Polyjuice.Policies;

/// <summary>
/// Types in groups, as in Callas (SOSP'15) and Tebaldi (SIGMOD'17): within a group runtime pipelining, between groups
/// locks. In the paper's evaluation (§7.2) this is Tebaldi's three-layer configuration.
/// <para>
/// Within a group, rows are those of <see cref="Ic3Rule"/> for a workload that consists of the group's types. An access
/// also waits for the state's holders of all other groups until they are sealed
/// (<see cref="PolicyCells.HoldersByType"/>), and for dependencies of other groups as long, so that nobody reads across
/// groups what is not sealed.
/// </para>
/// <para>
/// What differs from the papers. (1) Only two layers of mechanisms, locks over pipelines: Tebaldi's trees may be
/// higher, and have other mechanisms at inner nodes. (2) "Sealed" is before the log is written, so locks are shorter.
/// (3) A type is in one group for the whole of its transactions. (4) What <see cref="Ic3Rule"/> says differs.
/// </para>
/// </summary>
internal sealed class CallasRule : IPolicyRule
{
    /// <summary>It has no settings: groups are the document's, or follow from the workload.</summary>
    public static readonly CallasRule Instance = new();

    /// <inheritdoc/>
    public string Name => PolicyRules.Callas;

    /// <inheritdoc/>
    public Func<ShapeType, ShapeSite, PolicyCells> RowsFor(WorkloadShape workload, IReadOnlyList<TypeGroup> groups)
    {
        var homes = new Dictionary<string, (
            IReadOnlyList<ShapeType> Group, Func<ShapeType, ShapeSite, PolicyCells> Pipeline)>(
            StringComparer.Ordinal);
        foreach (var group in TypeGrouping.Of(workload, groups))
        {
            var pipeline = Ic3Rule.Pieces.RowsFor(workload.Only(group), []);
            foreach (var type in group) homes.Add(type.Name, (group, pipeline));
        }

        return (type, site) =>
        {
            var (group, pipeline) = homes[type.Name];
            var row = pipeline(type, site);
            return row with
            {
                WaitForHolders = true,
                HoldersByType = true,
                Waits = new PolicyWaits(
                    WaitCell.Sealed,
                    group.Select(other => new KeyValuePair<string, WaitCell>(other.Name, row.Waits[other.Name]))),
            };
        };
    }
}
