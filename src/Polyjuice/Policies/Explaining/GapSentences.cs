namespace Polyjuice.Policies;

/// <summary>What a table has rows for and a recording has not seen, and the reverse.</summary>
internal static class GapSentences
{
    /// <summary>The sentences; none if both have the same.</summary>
    public static IEnumerable<string> Of(SiteCatalogue table, SiteCatalogue ran)
    {
        const string InTable = "Of the table, these", InTrace = "Of the trace, the table lacks these";
        if (OnlyIn(table, ran) is { Length: > 0 } idle)
            yield return $"{InTable} types did not run in the trace, and are left out here: {idle}.";
        foreach (var sites in SitesOnlyIn(table, ran))
            yield return $"{InTable} sites were not passed in the trace: {sites}.";
        if (OnlyIn(ran, table) is { Length: > 0 } extra)
            yield return $"{InTrace} types, which have its default row: {extra}.";
        foreach (var sites in SitesOnlyIn(ran, table))
            yield return $"{InTrace} sites, which have the default row of their type: {sites}.";
    }

    private static string OnlyIn(SiteCatalogue one, SiteCatalogue two) =>
        Enumeration.And(one.Types.Where(type => two.Find(type.Name) is null).Select(type => type.Name));

    private static IEnumerable<string> SitesOnlyIn(SiteCatalogue one, SiteCatalogue two)
    {
        foreach (var type in one.Types)
        {
            if (two.Find(type.Name) is not { } same) continue;
            var only = type.Sites.Where(site => same.PositionOf(site.Name) < 0).Select(site => $"\"{site.Name}\"");
            if (Enumeration.And(only) is { Length: > 0 } sites) yield return sites;
        }
    }
}
