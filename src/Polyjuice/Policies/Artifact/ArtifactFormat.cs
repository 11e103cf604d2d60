namespace Polyjuice.Policies.Artifact;

/// <summary>
/// The text format of the Polyjuice artifact (OSDI'21): the buffer size; three commit-backoff and three abort-backoff
/// lines, a column per type; then a line per access: the dirty-and-public bit, the wait-enable bit (0 voids the line's
/// waits), the early-validation bit, and a wait cell per type: 0 no wait, k until the dependency has finished its k-th
/// access, beyond the last until it commits.
/// </summary>
internal static class ArtifactFormat
{
    public const string BufferSize = "txn buffer size";
    public const string CommitBackoff =
        "txn commit backoff part, 3 lines for retry times [0, 1, >=2] (decrease backoff)";
    public const string AbortBackoff = "txn abort backoff part, 3 lines for retry times [0, 1, >=2] (increase backoff)";
    public const string Accesses = "normal access";

    /// <summary>The heading of a section that only files in the older layout have.</summary>
    public const string FinalCommitWait = "txn final commit wait";

    /// <summary>The cells before the waits.</summary>
    public const int BitColumns = 3;

    /// <summary>The cell's number for dependencies of a type.</summary>
    public static int NumberOf(WaitCell cell, CatalogueType type) => cell.Until switch
    {
        WaitUntil.No => 0,
        WaitUntil.Sealed => type.Sites.Count + 1,
        _ => type.PositionOf(cell.Site!) + 1,
    };

    /// <summary>The cell for a number from 0 to one beyond the type's last access.</summary>
    public static WaitCell CellOf(int number, CatalogueType type) =>
        number == 0
            ? WaitCell.No
            : number > type.Sites.Count ? WaitCell.Sealed : WaitCell.For(type.Sites[number - 1].Name);
}
