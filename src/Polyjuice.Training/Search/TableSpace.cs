using Polyjuice.Policies;
using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Search;

/// <summary>
/// The tables that are searched: a row for each site of a workload's contending types, which waits for those types,
/// with the cells of the paper's §4.3 and those that this system adds, and a backoff for each type (§4.5). Admission is
/// not searched: it stays the parent's, because a replay cannot know what an application allows. So do the rows of
/// types that do not contend, and waits for them: no replay could tell one from another. Immutable.
/// </summary>
internal sealed class TableSpace
{
    /// <summary>
    /// What can be done about holders: wait for them or not, of all
    /// types or of those whose wait cell says "sealed", and who goes on.
    /// </summary>
    public static readonly IReadOnlyList<(bool Waits, bool ByType, HolderConflict Conflict)> Holders =
    [
        (false, false, HolderConflict.Wait),
        (true, false, HolderConflict.Wait), (true, false, HolderConflict.Die), (true, false, HolderConflict.Wound),
        (true, true, HolderConflict.Wait), (true, true, HolderConflict.Die), (true, true, HolderConflict.Wound),
    ];

    private const int BackoffCells = 6;

    private readonly SiteCatalogue _catalogue;
    private readonly Dictionary<(int Type, int Site), int> _rowStart = [];
    private readonly int[] _backoffStart;
    private readonly PolicyDocument _parent;
    private readonly PolicyDocument _spelledParent;
    private readonly SiteRegistry _registry;
    private readonly IReadOnlyList<int> _contending;

    /// <summary>The space over a workload's sites.</summary>
    /// <param name="workload">Whose sites get rows.</param>
    /// <param name="parent">What found tables take from where they say nothing: the default row, admissions.</param>
    /// <param name="others">Tables that are encoded too; their rows for hot participants become choices.</param>
    internal TableSpace(ReplayWorkload workload, PolicyDocument parent, IEnumerable<PolicyDocument> others)
    {
        var catalogue = workload.Catalogue;
        _catalogue = catalogue;
        _registry = workload.CreateRegistry();
        _contending = workload.ContendingTypes;
        _parent = parent;
        _spelledParent = Spelled(parent);
        Heats =
        [
            .. others.Prepend(parent).SelectMany(document => Rows(Spelled(document))).Select(row => row.Heat)
            .OfType<PolicyCells>().Distinct()
        ];
        var cells = new List<TableCell>();
        _backoffStart = new int[catalogue.Types.Count];
        foreach (var type in _contending)
        {
            for (var site = 0; site < catalogue.Types[type].Sites.Count; site++)
            {
                _rowStart.Add((type, site), cells.Count);
                cells.Add(new TableCell(CellKind.Read, type, site, 0, 2));
                cells.Add(new TableCell(CellKind.Write, type, site, 0, 2));
                cells.Add(new TableCell(CellKind.EarlyValidation, type, site, 0, 2));
                cells.Add(new TableCell(CellKind.Holders, type, site, 0, Holders.Count));
                cells.Add(new TableCell(CellKind.Heat, type, site, 0, Heats.Count + 1));
                foreach (var other in _contending)
                    cells.Add(new TableCell(CellKind.Wait, type, site, other, catalogue.Types[other].Sites.Count + 2));
            }

            _backoffStart[type] = cells.Count;
            for (var i = 0; i < BackoffCells; i++)
                cells.Add(new TableCell(CellKind.Backoff, type, -1, i, PolicyBackoff.Multipliers.Count));
        }

        Cells = cells;
    }

    /// <summary>The cells, row by row.</summary>
    public IReadOnlyList<TableCell> Cells { get; }

    /// <summary>Rows for hot participants that a table may have.</summary>
    public IReadOnlyList<PolicyCells> Heats { get; }

    /// <summary>The catalogue.</summary>
    public SiteCatalogue Catalogue => _catalogue;

    /// <summary>A table as a candidate.</summary>
    /// <param name="document">Any table; what it says of sites that the space lacks is left out.</param>
    /// <exception cref="ArgumentException">A row for hot participants is none of <see cref="Heats"/>.</exception>
    public Candidate Encode(PolicyDocument document)
    {
        var spelled = Spelled(document);
        var choices = new ushort[Cells.Count];
        foreach (var type in _contending)
        {
            var name = _catalogue.Types[type].Name;
            for (var site = 0; site < _catalogue.Types[type].Sites.Count; site++)
            {
                EncodeRow(
                    spelled.RowOf(name, _catalogue.Types[type].Sites[site].Name),
                    choices.AsSpan(_rowStart[(type, site)]));
            }

            var backoff = spelled.BackoffOf(name);
            for (var i = 0; i < 3; i++)
            {
                choices[_backoffStart[type] + i] = Multiplier(backoff.Committed[i]);
                choices[_backoffStart[type] + 3 + i] = Multiplier(backoff.Aborted[i]);
            }
        }

        return new Candidate(choices);
    }

    /// <summary>A candidate as a policy's file has it.</summary>
    /// <param name="candidate">Of this space.</param>
    /// <param name="name">The policy's name.</param>
    public PolicyDocument Decode(Candidate candidate, string name)
    {
        ArgumentNullException.ThrowIfNull(candidate);
        return new PolicyDocument
        {
            Name = name,
            Rule = PolicyRules.Uniform,
            Catalogue = _catalogue,
            Default = _parent.Default ?? PolicyCells.Plain,
            Admission = _parent.Admission,
            Backoff = _parent.Backoff,
            Types = [.. _catalogue.Types.Select((type, number) => new TypePolicy
            {
                Type = type.Name,
                Admission = _parent.AdmissionOf(type.Name),
                Backoff = _contending.Contains(number)
                    ? new PolicyBackoff(Multipliers(candidate, number, 0), Multipliers(candidate, number, 3))
                    : _spelledParent.BackoffOf(type.Name),
                Rows =
                [
                    .. type.Sites.Select(
                        (site, position) => new SiteRow(site.Name, DecodeRow(candidate, number, position)))
                ],
            })],
        };
    }

    private static ushort Multiplier(int value)
    {
        for (var i = 0; i < PolicyBackoff.Multipliers.Count; i++)
        {
            if (PolicyBackoff.Multipliers[i] == value) return (ushort)i;
        }

        throw new ArgumentException($"{value} is no multiplier of a backoff.", nameof(value));
    }

    private static IEnumerable<PolicyCells> Rows(PolicyDocument document) =>
        document.Types.SelectMany(type => type.Rows).Select(row => row.Cells);

    private IEnumerable<int> Multipliers(Candidate candidate, int type, int from)
    {
        for (var i = 0; i < 3; i++)
            yield return PolicyBackoff.Multipliers[candidate.Choices[_backoffStart[type] + from + i]];
    }

    private PolicyDocument Spelled(PolicyDocument document) => new DocumentPolicy(document).Materialize(_registry);

    private void EncodeRow(PolicyCells row, Span<ushort> choices)
    {
        choices[0] = (ushort)row.Read;
        choices[1] = (ushort)row.Write;
        choices[2] = row.EarlyValidation ? (ushort)1 : (ushort)0;
        for (var i = 1; i < Holders.Count && row.WaitForHolders; i++)
        {
            if (Holders[i].ByType == row.HoldersByType && Holders[i].Conflict == row.Conflict) choices[3] = (ushort)i;
        }

        for (var i = 0; i < Heats.Count && row.Heat is not null; i++)
        {
            if (Heats[i] == row.Heat) choices[4] = (ushort)(i + 1);
        }

        if (row.Heat is not null && choices[4] == 0)
            throw new ArgumentException("A row for hot participants is none that the space knows.", nameof(row));
        var waits = row.EffectiveWaits;
        for (var other = 0; other < _contending.Count; other++)
        {
            var type = _catalogue.Types[_contending[other]];
            var cell = waits[type.Name];
            choices[5 + other] = (ushort)(cell.Until switch
            {
                WaitUntil.No => 0,
                WaitUntil.Sealed => type.Sites.Count + 1,
                _ => type.PositionOf(cell.Site!) + 1,
            });
        }
    }

    private PolicyCells DecodeRow(Candidate candidate, int type, int position)
    {
        var parent = _spelledParent.RowOf(_catalogue.Types[type].Name, _catalogue.Types[type].Sites[position].Name);
        if (!_rowStart.TryGetValue((type, position), out var start)) return parent;
        var row = candidate.Choices[start..];
        var (waits, byType, conflict) = Holders[row[3]];
        var cells = new List<KeyValuePair<string, WaitCell>>();
        var next = 0;
        for (var other = 0; other < _catalogue.Types.Count; other++)
        {
            var waited = _catalogue.Types[other];
            if (!_contending.Contains(other))
            {
                cells.Add(new(waited.Name, parent.EffectiveWaits[waited.Name]));
                continue;
            }

            int choice = row[5 + next++];
            cells.Add(
                new(
                    waited.Name,
                    choice == 0
                        ? WaitCell.No
                        : choice > waited.Sites.Count ? WaitCell.Sealed : WaitCell.For(waited.Sites[choice - 1].Name)));
        }

        return new PolicyCells
        {
            Read = (ReadVersion)row[0],
            Write = (WriteVisibility)row[1],
            EarlyValidation = row[2] == 1,
            WaitForHolders = waits,
            HoldersByType = byType,
            Conflict = conflict,
            Heat = row[4] == 0 ? null : Heats[row[4] - 1],
            Waits = new PolicyWaits(WaitCell.No, cells),
        };
    }
}
