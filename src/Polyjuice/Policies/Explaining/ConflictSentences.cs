namespace Polyjuice.Policies;

/// <summary>
/// Which conflicts a table waits for, and what must hold for that to pay. A wait is for dependencies, so two
/// transactions must have met in conflict before it; and what it orders is what both are going to meet at from there
/// on.
/// </summary>
internal static class ConflictSentences
{
    /// <summary>The sentences.</summary>
    /// <param name="table">The table.</param>
    /// <param name="unchanged">Types whose waits are another table's, and are not told.</param>
    public static IEnumerable<string> Of(SpelledTable table, IReadOnlyCollection<CatalogueType> unchanged)
    {
        if (table.Types.Count == 0)
        {
            yield return "No access site is known, so there is nothing to say of its rows.";
            yield break;
        }

        if (IsHandedOn(table))
        {
            yield return "Versions are read before they are sealed: it expects that who exposes them seldom aborts, "
                + "because an abort takes along who has read them.";
        }

        var pairs = table.Types.Except(unchanged).SelectMany(type => Waits(table, type)).ToList();
        foreach (var pair in pairs) yield return pair;
        if (pairs.Count == 0 && unchanged.Count == 0)
            yield return "It waits for nobody: it expects that aborted work costs less than waits would.";
        if (table.LeftOut > 0)
        {
            yield return (table.LeftOut == 1 ? "1 wait is" : $"{table.LeftOut} waits are")
                + " left out here, because nothing is shared before them: nobody can be waited for there.";
        }
    }

    private static bool IsHandedOn(SpelledTable table) =>
        table.Rows.Any(row => row.Read == ReadVersion.Dirty)
            && table.Rows.Any(row => row.Write == WriteVisibility.Public);

    private static IEnumerable<string> Waits(SpelledTable table, CatalogueType type)
    {
        if (Holders(table, type) is { } held) yield return held;
        var vain = new List<string>();
        foreach (var other in table.Types)
        {
            if (Pair(table, type, other, vain) is { } pair) yield return pair;
        }

        if (vain.Count == 0) yield break;
        yield return $"{table.Names.Type(type.Name)} waits for {Enumeration.And(vain)}, "
            + "with whom it shares nothing from there on: "
            + "that pays only by keeping an order among others that both meet.";
    }

    private static string? Holders(SpelledTable table, CatalogueType type)
    {
        var (states, types) = (new List<string>(), new List<string>());
        for (var s = 0; s < type.Sites.Count; s++)
        {
            var (site, row) = (type.Sites[s], table.Row(type, s));
            if (!row.WaitForHolders) continue;
            var met = table.Types
                .Where(other => !row.HoldersByType || row.EffectiveWaits[other.Name] == WaitCell.Sealed)
                .Where(other => Conflicts.Meets(site, other.Sites))
                .Select(other => table.Names.Type(other.Name)).ToList();
            if (met.Count > 0) states.Add(table.Names.State(site.State));
            types.AddRange(met);
        }

        if (states.Count == 0) return null;
        return $"{table.Names.Type(type.Name)} waits for holders of {Enumeration.And(states.Distinct())}: "
            + $"it expects {Enumeration.And(types.Distinct())} there.";
    }

    /// <summary>
    /// What one type waits for at another; if both share nothing behind the wait, it is added to those in vain.
    /// </summary>
    private static string? Pair(SpelledTable table, CatalogueType type, CatalogueType other, List<string> vain)
    {
        var names = table.Names;
        var (untils, met, ahead) = (new List<string>(), new List<string>(), new List<string>());
        for (var s = 0; s < type.Sites.Count; s++)
        {
            var cell = table.Row(type, s).EffectiveWaits[other.Name];
            var before = Conflicts.Before(type, s, other).Select(site => names.State(site.State)).ToList();
            if (cell.Until == WaitUntil.No || before.Count == 0) continue;
            var finished = cell.Until == WaitUntil.Sealed ? other.Sites.Count : other.PositionOf(cell.Site!) + 1;
            untils.Add(cell.Until == WaitUntil.Sealed ? "it is sealed"
                : finished == other.Sites.Count ? "its last site" : $"its {names.Site(other, finished - 1)}");
            met.AddRange(before);
            ahead.AddRange(Conflicts.From(type, s, other, finished).Select(site => names.State(site.State)));
        }

        if (untils.Count == 0) return null;
        var another = ReferenceEquals(type, other) ? $"another {names.Type(other.Name)}" : names.Type(other.Name);
        var whom = $"{another} (met at {Enumeration.And(met.Distinct())})";
        if (ahead.Count == 0)
        {
            vain.Add(whom);
            return null;
        }

        return $"{names.Type(type.Name)} waits for {whom} until {string.Join(" or ", untils.Distinct())}: "
            + $"it expects to meet it again at {Enumeration.And(ahead.Distinct())}.";
    }
}
