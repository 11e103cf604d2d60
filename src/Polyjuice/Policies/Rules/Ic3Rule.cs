namespace Polyjuice.Policies;

/// <summary>
/// IC3 and Callas RP, to which Table 1 gives one row: "wait until T_dep finish certain access; latest uncommitted;
/// piece-end visibility; piece-end validation".
/// <para>
/// A piece is a longest run of a type's consecutive sites on the same state (a read and the update that follows it).
/// Reads are dirty. Writes are exposed and validated at the piece's end. Before an access to state S, each dependency
/// of type X must have finished X's last site in conflict with the access. If X has none, but S is contended at all, X
/// must have finished its last contended site: IC3 orders such a dependency because it may itself depend on one that is
/// yet to touch S, and wait cells reach direct dependencies only. The authors' own encoding (the artifact's IC3 seed)
/// does the same. A type's first site waits for nobody, because before it there are no dependencies.
/// </para>
/// <para>
/// What differs from IC3. (1) The wait stands before the piece, as in IC3; the engine applies it also before the
/// preceding piece's early validation (paper §4.3), so a piece is exposed a step later than in IC3. (2) Conflicts are
/// found between states, not columns or rows. (3) Nobody can tell which iteration of a loop, or which parallel branch,
/// is the last: pieces with a loop expose at once and are validated at the next piece's end, and a wait for such a site
/// ends when a later site is reached or the dependency's body has ended, whichever site the loop stands in. (4) A
/// type's last piece is not validated early, because its commit, which follows at once, does that. (5) The engine
/// validates at commit as well, where IC3 needs no further check.
/// </para>
/// </summary>
internal sealed class Ic3Rule : IPolicyRule
{
    /// <summary>With pieces.</summary>
    public static readonly Ic3Rule Pieces = new("ic3", hasPieces: true);

    /// <summary>
    /// The same waits without pieces: each access exposes at once, and only commit validates. An early validation has
    /// to wait as the next row says before anything is exposed, which holds up those who come next; which of the two
    /// costs less depends on the workload.
    /// </summary>
    public static readonly Ic3Rule Eager = new("ic3-eager", hasPieces: false);

    private readonly bool _hasPieces;

    private Ic3Rule(string name, bool hasPieces)
    {
        Name = name;
        _hasPieces = hasPieces;
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public Func<ShapeType, ShapeSite, PolicyCells> RowsFor(WorkloadShape workload, IReadOnlyList<TypeGroup> groups)
    {
        var lastContended = workload.Types.ToDictionary(
            type => type.Name,
            type => type.Sites.LastOrDefault(site => IsContended(workload, site)),
            StringComparer.Ordinal);
        return (type, site) =>
        {
            var isPieceEnd = IsPieceEnd(type, site, out var endsType, out var hasLoop);
            return new PolicyCells
            {
                Read = ReadVersion.Dirty,
                Write = isPieceEnd || !_hasPieces ? WriteVisibility.Public : WriteVisibility.Private,
                EarlyValidation = _hasPieces && isPieceEnd && !endsType && !hasLoop,
                Waits = site.Position == 0 ? PolicyWaits.None : WaitsOf(workload, site, lastContended),
            };
        };
    }

    private static PolicyWaits WaitsOf(
        WorkloadShape workload, ShapeSite site, Dictionary<string, ShapeSite?> lastContended)
    {
        if (!IsContended(workload, site)) return PolicyWaits.None;
        var cells = new List<KeyValuePair<string, WaitCell>>();
        foreach (var type in workload.Types)
        {
            var last = type.Sites.LastOrDefault(site.ConflictsWith) ?? lastContended[type.Name];
            if (last is not null) cells.Add(new(type.Name, WaitCell.For(last.Name)));
        }

        return new PolicyWaits(WaitCell.No, cells);
    }

    private static bool IsContended(WorkloadShape workload, ShapeSite site) =>
        workload.Types.Any(type => type.Sites.Any(site.ConflictsWith) || type.Unlisted.Any(site.ConflictsWith));

    private static bool IsPieceEnd(ShapeType type, ShapeSite site, out bool endsType, out bool hasLoop)
    {
        var position = site.Position;
        endsType = false;
        hasLoop = true;

        // A site that the catalogue lacks could be anywhere in its
        // type: expose, and leave validation to those that are listed.
        if (position == PolicyTable.UnknownPosition) return true;

        endsType = position == type.Sites.Count - 1;
        hasLoop = false;
        for (var i = position; i >= 0 && type.Sites[i].State == site.State; i--) hasLoop |= type.Sites[i].Loop;

        // After a loop's site its piece may or may not be over, so it exposes each time.
        return endsType || hasLoop || type.Sites[position + 1].State != site.State;
    }
}
