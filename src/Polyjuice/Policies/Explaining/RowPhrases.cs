namespace Polyjuice.Policies;

/// <summary>What rows say, aspect by aspect.</summary>
/// <param name="types">The types that waits are looked at for.</param>
/// <param name="names">What they are called.</param>
internal sealed class RowPhrases(IReadOnlyList<CatalogueType> types, CatalogueNames names)
{
    /// <summary>The aspects of a row.</summary>
    public static readonly IReadOnlyList<Aspect> Aspects =
        [Aspect.Read, Aspect.Write, Aspect.EarlyValidation, Aspect.Holders, Aspect.Heat, Aspect.Waits];

    /// <summary>What hardly any policy does otherwise.</summary>
    public const string SameWhenHot = "does the same at hot participants";

    private const string NoHolders = "does not wait for holders";
    private const string Others = "other types";

    /// <summary>
    /// What a row says of an aspect in one clause. Its text is empty if there is none: waits that differ by type.
    /// </summary>
    public Fact Whole(Aspect aspect, PolicyCells row) => new(aspect, aspect switch
    {
        Aspect.Read => row.Read == ReadVersion.Dirty ? "reads dirty versions" : "reads clean versions",
        Aspect.Write =>
            row.Write == WriteVisibility.Public ? "exposes its writes at once" : "keeps its writes private",
        Aspect.EarlyValidation => row.EarlyValidation ? "validates early" : "validates at commit only",
        Aspect.Holders => Holders(row),
        Aspect.Heat => Heat(row),
        _ => AllWaits(row),
    });

    /// <summary>
    /// Whether it is that nothing is done, which goes without saying where sites are told one by one.
    /// </summary>
    public bool IsSilent(Aspect aspect, PolicyCells row) => aspect switch
    {
        Aspect.EarlyValidation => !row.EarlyValidation,
        Aspect.Holders => Holders(row) == NoHolders,
        Aspect.Heat => Heat(row) == SameWhenHot,
        Aspect.Waits => Targets(row).All(static wait => wait.Until.Length == 0),
        _ => false,
    };

    /// <summary>
    /// A row's waits: one fact for all if that says it, else one for each type, those that are not waited for too.
    /// </summary>
    public IReadOnlyList<Fact> Waits(PolicyCells row) =>
        Whole(Aspect.Waits, row) is { Text.Length: > 0 } whole ? [whole] : [.. Targets(row)];

    /// <summary>A row's waits, one fact for each type.</summary>
    public IEnumerable<Fact> Targets(PolicyCells row)
    {
        var waits = row.EffectiveWaits;
        foreach (var type in types)
            yield return new(Aspect.Waits, "", names.Type(type.Name), Until(type, waits[type.Name]));
        yield return new(Aspect.Waits, "", Others, waits.Rest.Until == WaitUntil.Sealed ? Fact.Sealed : "");
    }

    private string AllWaits(PolicyCells row)
    {
        var untils = Targets(row).Select(static wait => wait.Until).Distinct().ToList();
        return untils switch
        {
            [""] => "waits for nobody",
            [Fact.Sealed] => "waits until all it depends on are sealed",
            _ => "",
        };
    }

    private string Until(CatalogueType type, WaitCell cell)
    {
        if (cell.Until == WaitUntil.No) return "";
        if (cell.Until == WaitUntil.Sealed) return Fact.Sealed;
        var position = type.PositionOf(cell.Site!);
        if (position < 0) return $"site {cell.Site}";
        return position == type.Sites.Count - 1 ? Fact.Last : names.Site(type, position);
    }

    private string Holders(PolicyCells row)
    {
        var of = "";
        if (row is { WaitForHolders: true, HoldersByType: true })
        {
            var waited = Targets(row).Where(static wait => wait.Until == Fact.Sealed);
            of = Enumeration.And(waited.Select(static wait => wait.Target));
            if (of.Length == 0) return NoHolders;
            of = $" of {of}";
        }

        if (!row.WaitForHolders) return NoHolders;
        return row.Conflict switch
        {
            HolderConflict.Die => $"waits for younger holders{of}, and aborts for older ones",
            HolderConflict.Wound => $"waits for older holders{of}, and aborts younger ones",
            _ => $"waits for holders{of}",
        };
    }

    private string Heat(PolicyCells row)
    {
        if (row.Heat is not { } heat) return SameWhenHot;
        List<Fact> own = [.. Facts(row), .. Targets(row)];
        var other = Facts(heat).Where(fact => !own.Contains(fact)).ToList();
        return other.Count == 0 ? SameWhenHot : $"at hot participants instead {Fact.Join(other)}";
    }

    private List<Fact> Facts(PolicyCells row)
    {
        var whole = Aspects.Where(static aspect => aspect is not (Aspect.Heat or Aspect.Waits));
        return [.. whole.Select(aspect => Whole(aspect, row)), .. Waits(row)];
    }
}
