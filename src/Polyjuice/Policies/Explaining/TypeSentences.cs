namespace Polyjuice.Policies;

/// <summary>The sections of transaction types: what the table does at their sites, and what others do there.</summary>
internal static class TypeSentences
{
    private const string AllSites = "All sites";
    private const string AfterFirst = "All sites after the first";

    /// <summary>
    /// From so many sites on it pays to speak of all after the first, where there is nobody to wait for yet.
    /// </summary>
    private const int AfterFirstMin = 3;

    /// <summary>A section for each type, in the catalogue's order; types of which the same is said share one.</summary>
    public static IEnumerable<ExplainedSection> Of(SpelledTable own, IReadOnlyList<ComparedTable> others) => own.Types
        .Select(type => (Type: type, Sentences: Of(own, others, type)))
        .GroupBy(one => string.Join('\n', one.Sentences), StringComparer.Ordinal)
        .Select(same => new ExplainedSection(Heading([.. same.Select(one => one.Type)]), same.First().Sentences));

    /// <summary>
    /// The table of which it is enough to say that it does the same of a type: one that does not do so of all.
    /// </summary>
    public static ComparedTable? Unchanged(IReadOnlyList<ComparedTable> others, CatalogueType type) =>
        others.FirstOrDefault(other => other.IsSame(type) && !other.IsSameEverywhere);

    private static string Heading(IReadOnlyList<CatalogueType> types) => types is [{ } only]
        ? $"{only.Name}, {only.Sites.Count} {(only.Sites.Count == 1 ? "site" : "sites")}"
        : Enumeration.And(types.Select(type => type.Name));

    private static List<string> Of(SpelledTable own, IReadOnlyList<ComparedTable> others, CatalogueType type)
    {
        if (Unchanged(others, type) is { } same) return [$"It does what {same.Name} does."];
        var sentences = new List<string>();
        var lifecycle = own.Lifecycle(type)
            .Where(fact => own.Common(fact.Aspect) is null && !LifecyclePhrases.IsUsual(fact)).ToList();
        if (lifecycle.Count > 0) sentences.Add($"It {Fact.Join(lifecycle)}.");
        sentences.AddRange(Grouped(type, SiteFacts.Of(own, type), own.Names)
            .Select(one => $"{one.Where}: {one.What}."));
        if (sentences.Count == 0) sentences.Add("What it does everywhere, and no more.");
        foreach (var other in others)
        {
            if (other.IsSame(type))
            {
                sentences.Add($"{other.Name} does the same.");
                continue;
            }

            var mine = own.Lifecycle(type);
            var theirs = other.Table.Lifecycle(type)
                .Where(fact => other.Table.Common(fact.Aspect) is null && !mine.Contains(fact)).ToList();
            if (theirs.Count > 0) sentences.Add($"{other.Name} {Fact.Join(theirs)}.");
            var differences = Grouped(type, SiteFacts.Differences(own, other.Table, type), own.Names);
            sentences.AddRange(differences.Select(one => $"{other.Name}, {Lower(one.Where)}: {one.What}."));
        }

        return sentences;
    }

    /// <summary>
    /// Facts with the sites that they are of: first those of all sites, then those of sites that have the rest in
    /// common.
    /// </summary>
    private static List<(string Where, string What)> Grouped(
        CatalogueType type, IReadOnlyList<IReadOnlyList<Fact>> facts, CatalogueNames names)
    {
        if (facts.Count == 0) return [];
        var groups = new List<(string Where, string What)>();
        var all = facts.Count > 1 ? facts.Aggregate(facts[0], Shared) : [];
        var later = facts.Count >= AfterFirstMin ? facts.Skip(2).Aggregate(facts[1], Shared).Except(all).ToList() : [];
        if (all.Count > 0) groups.Add((AllSites, Fact.Join(all)));
        if (later.Count > 0) groups.Add((AfterFirst, Fact.Join(later)));
        var rest = facts.Select((own, position) =>
            (Position: position, What: Fact.Join(own.Except(all).Except(position == 0 ? [] : later))));
        foreach (var same in rest.Where(one => one.What.Length > 0).GroupBy(one => one.What, StringComparer.Ordinal))
            groups.Add((names.Sites(type, [.. same.Select(one => one.Position)]), same.Key));
        return groups;
    }

    private static IReadOnlyList<Fact> Shared(IReadOnlyList<Fact> one, IReadOnlyList<Fact> two) =>
        [.. one.Where(two.Contains)];

    private static string Lower(string where) => char.ToLowerInvariant(where[0]) + where[1..];
}
