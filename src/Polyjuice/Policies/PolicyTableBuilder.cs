namespace Polyjuice.Policies;

/// <summary>
/// Builds a compiled table cell by cell. What compiles documents uses it, and so do tests that want random cells.
/// </summary>
internal sealed class PolicyTableBuilder
{
    private readonly SiteRegistry _registry;
    private readonly string _name;
    private readonly IReadOnlyList<SiteInfo> _sites;
    private readonly int _typeCount;
    private readonly List<(PolicyActions Actions, ushort[] Waits)> _rows = [];
    private readonly int[] _rowIndexBySite;
    private readonly int[] _defaultRowByType;
    private readonly Dictionary<int, int> _hotRowIndexBySite = [];
    private readonly Dictionary<int, int> _hotDefaultRowByType = [];
    private readonly int[] _positions;
    private readonly bool[] _loops;
    private readonly float[] _backoff;
    private readonly PolicyAdmission[] _admissions;

    /// <summary>
    /// Starts a table over everything that the registry knows now; all rows start as the given default.
    /// </summary>
    /// <param name="registry">Whose numbers index the table.</param>
    /// <param name="name">The policy's name.</param>
    /// <param name="defaultActions">
    /// Actions of every row until set; waits are implied by <paramref name="defaultWait"/>.
    /// </param>
    /// <param name="defaultWait">Wait cell for every dependency type until set.</param>
    public PolicyTableBuilder(
        SiteRegistry registry, string name, PolicyActions defaultActions = PolicyActions.None,
        ushort defaultWait = PolicyTable.NoWait)
    {
        _registry = registry;
        _name = name;
        _typeCount = registry.Types.Count;
        _sites = registry.Sites;
        _rowIndexBySite = new int[_sites.Count];
        _defaultRowByType = new int[_typeCount + 1];
        _positions = new int[_sites.Count];
        _loops = new bool[_sites.Count];
        _admissions = new PolicyAdmission[_typeCount + 1];
        _backoff = new float[(_typeCount + 1) * 6];
        Array.Fill(_backoff, 1f);
        var waits = new ushort[_typeCount + 1];
        Array.Fill(waits, defaultWait);
        _rows.Add((defaultActions, waits));
        var next = new int[_typeCount];
        for (var i = 0; i < _positions.Length; i++)
        {
            _positions[i] = _sites[i].TypeId < _typeCount ? next[_sites[i].TypeId]++ : PolicyTable.UnknownPosition;
            _loops[i] = _sites[i].IsRepeated;
        }
    }

    /// <summary>
    /// Number of types the table covers; wait cells have this length plus one for unknown types, which comes last.
    /// </summary>
    public int TypeCount => _typeCount;

    /// <summary>The sites the table covers.</summary>
    public IReadOnlyList<SiteInfo> Sites => _sites;

    /// <summary>Sets the row of one site.</summary>
    /// <param name="siteId">Its number.</param>
    /// <param name="actions">Its actions; <see cref="PolicyActions.HasWaits"/> is derived.</param>
    /// <param name="waits">One cell per type and one for unknown types.</param>
    public PolicyTableBuilder SetRow(int siteId, PolicyActions actions, ReadOnlySpan<ushort> waits)
    {
        _rowIndexBySite[siteId] = AddRow(actions, waits);
        return this;
    }

    /// <summary>
    /// Sets the default row of a type, or with <paramref name="typeId"/> = <see cref="TypeCount"/> of unknown types.
    /// </summary>
    public PolicyTableBuilder SetDefault(int typeId, PolicyActions actions, ReadOnlySpan<ushort> waits)
    {
        _defaultRowByType[typeId] = AddRow(actions, waits);
        return this;
    }

    /// <summary>Sets what the row of one site is while the participant is hot; otherwise it is the same.</summary>
    public PolicyTableBuilder SetHotRow(int siteId, PolicyActions actions, ReadOnlySpan<ushort> waits)
    {
        _hotRowIndexBySite[siteId] = AddRow(actions, waits);
        return this;
    }

    /// <summary>
    /// The same for the default row of a type, or with
    /// <paramref name="typeId"/> = <see cref="TypeCount"/> of unknown types.
    /// </summary>
    public PolicyTableBuilder SetHotDefault(int typeId, PolicyActions actions, ReadOnlySpan<ushort> waits)
    {
        _hotDefaultRowByType[typeId] = AddRow(actions, waits);
        return this;
    }

    /// <summary>Sets where a site stands among its type's sites, and whether it is in a loop.</summary>
    public PolicyTableBuilder SetPosition(int siteId, int position, bool isLoop)
    {
        _positions[siteId] = position;
        _loops[siteId] = isLoop;
        return this;
    }

    /// <summary>Sets one backoff multiplier; see <see cref="PolicyTable.BackoffMultiplier"/>.</summary>
    public PolicyTableBuilder SetBackoff(int typeId, bool committed, int priorAborts, float multiplier)
    {
        _backoff[(typeId * 6) + (committed ? 0 : 3) + priorAborts] = multiplier;
        return this;
    }

    /// <summary>
    /// Sets how a type's transactions are let in, or with <paramref name="typeId"/> = <see cref="TypeCount"/> those of
    /// unknown types.
    /// </summary>
    public PolicyTableBuilder SetAdmission(int typeId, PolicyAdmission admission)
    {
        _admissions[typeId] = admission;
        return this;
    }

    /// <summary>Compiles.</summary>
    /// <param name="version">See <see cref="PolicyTable.Version"/>.</param>
    public PolicyTable Build(int version)
    {
        var width = _typeCount + 1;
        var waits = new ushort[_rows.Count * width];
        var compiled = new PolicyRow[_rows.Count];
        var watched = new bool[_typeCount];
        for (var r = 0; r < _rows.Count; r++)
        {
            var (actions, cells) = _rows[r];
            actions &= ~PolicyActions.HasWaits;
            for (var t = 0; t < width; t++)
            {
                waits[(r * width) + t] = cells[t];
                if (cells[t] != PolicyTable.NoWait) actions |= PolicyActions.HasWaits;
                if (t < _typeCount && cells[t] is not (PolicyTable.NoWait or PolicyTable.UntilSealed))
                    watched[t] = true;
            }

            compiled[r] = new PolicyRow(actions, r * width);
        }

        var siteCounts = new int[_typeCount];
        for (var i = 0; i < _positions.Length; i++)
        {
            if (_sites[i].TypeId < _typeCount)
                siteCounts[_sites[i].TypeId] = Math.Max(siteCounts[_sites[i].TypeId], _positions[i] + 1);
        }

        var rowBySite = Array.ConvertAll(_rowIndexBySite, i => compiled[i]);
        var siteAt = new Dictionary<(int Type, int Position), int>();
        for (var i = 0; i < _positions.Length; i++) siteAt.TryAdd((_sites[i].TypeId, _positions[i]), i);
        var nextRows = new PolicyRow[rowBySite.Length];
        for (var i = 0; i < nextRows.Length; i++)
            nextRows[i] = rowBySite[siteAt.TryGetValue((_sites[i].TypeId, _positions[i] + 1), out var next) ? next : i];

        var defaults = Array.ConvertAll(_defaultRowByType, i => compiled[i]);
        var hasHeat = _hotRowIndexBySite.Count + _hotDefaultRowByType.Count > 0;
        return new PolicyTable(
            _name, version, rowBySite, defaults, _positions, _loops, siteCounts, watched, waits, _typeCount, _backoff,
            nextRows, _admissions, hasHeat ? Hot(rowBySite, _hotRowIndexBySite) : rowBySite,
            hasHeat ? Hot(defaults, _hotDefaultRowByType) : defaults);

        PolicyRow[] Hot(PolicyRow[] rows, Dictionary<int, int> hot) =>
            [.. rows.Select((row, i) => hot.TryGetValue(i, out var index) ? compiled[index] : row)];
    }

    private int AddRow(PolicyActions actions, ReadOnlySpan<ushort> waits)
    {
        if (waits.Length != _typeCount + 1)
            throw new ArgumentException($"A row has {_typeCount + 1} wait cells, not {waits.Length}.", nameof(waits));
        _rows.Add((actions, waits.ToArray()));
        return _rows.Count - 1;
    }
}
