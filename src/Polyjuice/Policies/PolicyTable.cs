using System.Runtime.CompilerServices;
namespace Polyjuice.Policies;

/// <summary>
/// A compiled policy: dense arrays indexed by the numbers of a <see cref="SiteRegistry"/>. Immutable and thread-safe; a
/// look-up takes no lock and allocates nothing. See the paper, §4.1 and Fig. 3.
/// </summary>
internal sealed class PolicyTable
{
    /// <summary>A wait cell that means: do not wait.</summary>
    public const ushort NoWait = 0;

    /// <summary>A wait cell that means: until the dependency is sealed or aborted.</summary>
    public const ushort UntilSealed = ushort.MaxValue;

    /// <summary>Positions of sites that the table does not know.</summary>
    public const int UnknownPosition = -1;

    private readonly PolicyRow[] _rowBySite;
    private readonly PolicyRow[] _defaultRowByType;
    private readonly int[] _positionBySite;
    private readonly bool[] _loopBySite;
    private readonly int[] _siteCountByType;
    private readonly bool[] _watchedByType;
    private readonly ushort[] _waits;
    private readonly int _typeCount;
    private readonly float[] _backoff;
    private readonly PolicyRow[] _nextRowBySite;
    private readonly PolicyAdmission[] _admissionByType;
    private readonly PolicyRow[] _hotRowBySite;
    private readonly PolicyRow[] _hotDefaultRowByType;

    /// <summary>Made by the compiler only; see <see cref="PolicyTableBuilder"/>.</summary>
    internal PolicyTable(
        string name, int version, PolicyRow[] rowBySite, PolicyRow[] defaultRowByType, int[] positionBySite,
        bool[] loopBySite, int[] siteCountByType, bool[] watchedByType, ushort[] waits, int typeCount, float[] backoff,
        PolicyRow[] nextRowBySite, PolicyAdmission[] admissionByType, PolicyRow[] hotRowBySite,
        PolicyRow[] hotDefaultRowByType)
    {
        Name = name;
        Version = version;
        _rowBySite = rowBySite;
        _defaultRowByType = defaultRowByType;
        _positionBySite = positionBySite;
        _loopBySite = loopBySite;
        _siteCountByType = siteCountByType;
        _watchedByType = watchedByType;
        _waits = waits;
        _typeCount = typeCount;
        _backoff = backoff;
        _nextRowBySite = nextRowBySite;
        _admissionByType = admissionByType;
        _hotRowBySite = hotRowBySite;
        _hotDefaultRowByType = hotDefaultRowByType;
        HasHeat = !ReferenceEquals(hotRowBySite, rowBySite);
        ChoosesAdmissions = Array.Exists(admissionByType, static admission => admission == PolicyAdmission.Auto);
        HasAdmissions = Array.Exists(admissionByType, static admission => admission != PolicyAdmission.Run);
        var seen = PolicyActions.None;
        foreach (var rows in (PolicyRow[][])[rowBySite, defaultRowByType, hotRowBySite, hotDefaultRowByType])
        {
            foreach (var row in rows) seen |= row.Actions;
        }

        HasWaits = seen.HasFlag(PolicyActions.HasWaits);
        HasEarlyValidation = seen.HasFlag(PolicyActions.EarlyValidation);
        HandsOn = seen.HasFlag(PolicyActions.ReadDirty | PolicyActions.WritePublic);
    }

    /// <summary>The policy's name ("occ", "ic3", the name in its file).</summary>
    public string Name { get; }

    /// <summary>Number of the swap that put it in force; increases with each.</summary>
    public int Version { get; }

    /// <summary>Whether any row waits for dependencies, so that they are worth tracking.</summary>
    public bool HasWaits { get; }

    /// <summary>Whether any row validates early, so that accesses are worth recording for a resume.</summary>
    public bool HasEarlyValidation { get; }

    /// <summary>
    /// Whether rows expose what they wrote and rows read that, so that transactions build on others that still run.
    /// </summary>
    public bool HandsOn { get; }

    /// <summary>Whether any type is let in otherwise than at once.</summary>
    public bool HasAdmissions { get; }

    /// <summary>
    /// Whether any row says something else for hot participants, so that it is worth knowing which are.
    /// </summary>
    public bool HasHeat { get; }

    /// <summary>Whether for any type it is left to the silo how its transactions are let in.</summary>
    public bool ChoosesAdmissions { get; }

    /// <summary>
    /// The tables to choose among; none where this one is in force itself. Set before it is in force.
    /// </summary>
    public IReadOnlyList<PolicyTable> Choices { get; internal set; } = [];

    /// <summary>By which they are chosen.</summary>
    public ChoiceModel? Model { get; internal set; }

    /// <summary>
    /// Whether what accesses meet is counted, for who chooses a table by it. Set before it is in force.
    /// </summary>
    public bool IsObserved { get; internal set; }

    /// <summary>How transactions of a type are let in.</summary>
    public PolicyAdmission AdmissionOf(int typeId) =>
        _admissionByType[(uint)typeId < (uint)_typeCount ? typeId : _typeCount];

    /// <summary>
    /// The row whose waits come before an early validation after this site: that of the type's next site (paper §4.3),
    /// or for the last site its own.
    /// </summary>
    public PolicyRow NextRowOf(int siteId, int typeId)
    {
        var rows = _nextRowBySite;
        return (uint)siteId < (uint)rows.Length ? rows[siteId] : RowOf(siteId, typeId);
    }

    /// <summary>
    /// The row of a site; the type's default row when the table lacks the site, the table's when it lacks the type.
    /// </summary>
    public PolicyRow RowOf(int siteId, int typeId) => Find(_rowBySite, _defaultRowByType, siteId, typeId);

    /// <summary>The same for an access to a participant that is hot.</summary>
    public PolicyRow HotRowOf(int siteId, int typeId) => Find(_hotRowBySite, _hotDefaultRowByType, siteId, typeId);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private PolicyRow Find(PolicyRow[] rows, PolicyRow[] defaults, int siteId, int typeId)
    {
        if ((uint)siteId < (uint)rows.Length) return rows[siteId];
        return (uint)typeId < (uint)_typeCount ? defaults[typeId] : defaults[_typeCount];
    }

    /// <summary>
    /// The wait cell of a row for dependencies of one type: <see cref="NoWait"/>, <see cref="UntilSealed"/>, or k ≥ 1:
    /// until the dependency has finished its first k sites (the site at position k − 1).
    /// </summary>
    public ushort WaitOf(PolicyRow row, int dependencyTypeId) =>
        _waits[row.WaitOffset + ((uint)dependencyTypeId < (uint)_typeCount ? dependencyTypeId : _typeCount)];

    /// <summary>A site's position among its type's sites, from 0, or <see cref="UnknownPosition"/>.</summary>
    public int PositionOf(int siteId)
    {
        var positions = _positionBySite;
        return (uint)siteId < (uint)positions.Length ? positions[siteId] : UnknownPosition;
    }

    /// <summary>
    /// Whether the site is in a loop (or ran in parallel), so that having passed it once does not finish it.
    /// </summary>
    public bool IsLoop(int siteId)
    {
        var loops = _loopBySite;
        return (uint)siteId >= (uint)loops.Length || loops[siteId];
    }

    /// <summary>How many sites the table knows of a type; a transaction that ended has finished that many.</summary>
    public int SiteCountOf(int typeId) => (uint)typeId < (uint)_typeCount ? _siteCountByType[typeId] : 0;

    /// <summary>Whether any row waits for a site of this type, so that its progress is worth publishing.</summary>
    public bool IsWatched(int typeId) => (uint)typeId < (uint)_typeCount && _watchedByType[typeId];

    /// <summary>
    /// The multiplier α of the learned backoff (paper §4.5): on abort backoff ×= 1 + α, on commit backoff /= 1 + α.
    /// </summary>
    /// <param name="typeId">The transaction's type.</param>
    /// <param name="committed">How the attempt ended.</param>
    /// <param name="priorAborts">Aborted attempts before this one; 2 and more are one class.</param>
    public float BackoffMultiplier(int typeId, bool committed, int priorAborts)
    {
        var type = (uint)typeId < (uint)_typeCount ? typeId : _typeCount;
        return _backoff[(type * 6) + (committed ? 0 : 3) + Math.Min(priorAborts, 2)];
    }
}
