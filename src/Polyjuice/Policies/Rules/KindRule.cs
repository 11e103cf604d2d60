namespace Polyjuice.Policies;

/// <summary>
/// One row for all reads and one for all updates: the algorithms of the paper's Table 1 that treat the two differently.
/// </summary>
internal sealed class KindRule(string name, PolicyCells reads, PolicyCells updates) : IPolicyRule
{
    /// <summary>
    /// Sundial: "no read wait, latest committed; write wait until T_wdep commits; not visible; no early validation".
    /// Expressed, but for T_wdep: wait cells address all dependencies of a type, whichever kind of conflict made them,
    /// so updates wait for all of them. And since nothing is visible before commit, dependencies are few, and updates
    /// block less than behind Sundial's write locks. Waiting for the state's holders instead would block more: those
    /// include readers, and two transactions that read and then update the same state would deadlock, which Sundial's
    /// do not.
    /// </summary>
    public static readonly KindRule Sundial = new(
        "sundial",
        reads: PolicyCells.Plain,
        updates: new PolicyCells { Waits = PolicyWaits.AllSealed });

    /// <summary>
    /// MVTSO: "read waits until T' in T_wdep commits if ts(T') &lt; ts(T); largest committed version below ts(T); no
    /// write wait; visible; early validation". Visibility and early validation are expressed. Timestamps are not: here
    /// a transaction gets its timestamp when it commits, so that a read can neither compare timestamps (it waits for
    /// every dependency, whichever way they will be ordered) nor pick an older version (it takes the latest sealed
    /// one).
    /// </summary>
    public static readonly KindRule Mvtso = new(
        "mvtso",
        reads: new PolicyCells
        {
            Write = WriteVisibility.Public, EarlyValidation = true, Waits = PolicyWaits.AllSealed
        },
        updates: new PolicyCells { Write = WriteVisibility.Public, EarlyValidation = true });

    /// <inheritdoc/>
    public string Name { get; } = name;

    /// <inheritdoc/>
    public Func<ShapeType, ShapeSite, PolicyCells> RowsFor(WorkloadShape workload, IReadOnlyList<TypeGroup> groups) =>
        (_, site) => site.Kind == AccessKind.Read ? reads : updates;
}
