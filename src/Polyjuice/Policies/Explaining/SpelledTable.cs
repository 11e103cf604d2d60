namespace Polyjuice.Policies;

/// <summary>
/// A policy with a row for each site of a catalogue, which need not be its own. Waits that cannot happen are left out
/// of rows: a wait is for dependencies, so somebody must have met the other one in conflict before it.
/// </summary>
internal sealed class SpelledTable
{
    private readonly PolicyDocument _document;
    private readonly Dictionary<(string Type, int Position), PolicyCells> _rows = [];
    private readonly Dictionary<Aspect, Fact?> _common = [];

    /// <summary>Spells a policy out.</summary>
    /// <param name="document">The policy.</param>
    /// <param name="catalogue">Whose sites get rows.</param>
    /// <param name="types">Those of its types that are looked at.</param>
    /// <param name="names">What they are called.</param>
    public SpelledTable(
        PolicyDocument document, SiteCatalogue catalogue, IReadOnlyList<CatalogueType> types, CatalogueNames names)
    {
        _document = PolicySpelling.Over(document, catalogue);
        (Types, Names) = (types, names);
        Phrases = new RowPhrases(types, names);
        foreach (var type in types)
        {
            for (var s = 0; s < type.Sites.Count; s++)
            {
                var row = _document.RowOf(type.Name, type.Sites[s].Name);
                _rows.Add((type.Name, s), Live(row, type, s));
            }
        }
    }

    /// <summary>The policy's name.</summary>
    public string Name => _document.Name;

    /// <summary>The types that are looked at.</summary>
    public IReadOnlyList<CatalogueType> Types { get; }

    /// <summary>What they are called.</summary>
    public CatalogueNames Names { get; }

    /// <summary>What rows say.</summary>
    public RowPhrases Phrases { get; }

    /// <summary>The rows of all sites of <see cref="Types"/>.</summary>
    public IReadOnlyCollection<PolicyCells> Rows => _rows.Values;

    /// <summary>How many waits were left out.</summary>
    public int LeftOut { get; private set; }

    /// <summary>The row of a site.</summary>
    public PolicyCells Row(CatalogueType type, int position) => _rows[(type.Name, position)];

    /// <summary>How transactions of a type are let in, and back off.</summary>
    public IReadOnlyList<Fact> Lifecycle(CatalogueType type) =>
    [
        new(Aspect.Admission, LifecyclePhrases.Of(_document.AdmissionOf(type.Name))),
        new(Aspect.Backoff, LifecyclePhrases.Of(_document.BackoffOf(type.Name))),
    ];

    /// <summary>
    /// What it says of an aspect at all sites alike, or of all types; <see langword="null"/> if that differs.
    /// </summary>
    public Fact? Common(Aspect aspect)
    {
        if (!_common.TryGetValue(aspect, out var common)) _common.Add(aspect, common = FindCommon(aspect));
        return common;
    }

    private Fact? FindCommon(Aspect aspect)
    {
        var facts = aspect is Aspect.Admission or Aspect.Backoff
            ? Types.Select(type => Lifecycle(type).Single(fact => fact.Aspect == aspect))
            : Rows.Select(row => Phrases.Whole(aspect, row));
        return facts.Distinct().ToList() is [{ } only] && only.Text.Length > 0 ? only : null;
    }

    private PolicyCells Live(PolicyCells row, CatalogueType type, int position)
    {
        // Who waits for everybody is told in a word, and not for whom that is in vain.
        if (row.EffectiveWaits == PolicyWaits.AllSealed) return row;
        var cells = new List<KeyValuePair<string, WaitCell>>();
        foreach (var other in Types)
        {
            var cell = row.EffectiveWaits[other.Name];
            var isLive = cell == WaitCell.No || Conflicts.Before(type, position, other).Any()
                || IsForHolders(row, cell);
            if (!isLive) LeftOut++;
            cells.Add(new(other.Name, isLive ? cell : WaitCell.No));
        }

        var heat = row.Heat is { } hot ? Live(hot, type, position) : null;
        return row with { Waits = new PolicyWaits(row.EffectiveWaits.Rest, cells), WaitsOff = false, Heat = heat };
    }

    /// <summary>Such a cell says of which types holders are waited for, whoever was met before.</summary>
    private static bool IsForHolders(PolicyCells row, WaitCell cell) =>
        row is { WaitForHolders: true, HoldersByType: true } && cell == WaitCell.Sealed;
}
