namespace Polyjuice.Policies;

/// <summary>What there is to say of a type's sites one by one.</summary>
internal static class SiteFacts
{
    /// <summary>What a table does at each site, without what it does everywhere.</summary>
    public static IReadOnlyList<IReadOnlyList<Fact>> Of(SpelledTable table, CatalogueType type)
    {
        var aspects = RowPhrases.Aspects.Where(aspect => table.Common(aspect) is null).ToList();
        return [.. type.Sites.Select((_, position) => Row(table.Row(type, position)))];

        IReadOnlyList<Fact> Row(PolicyCells row) =>
        [
            .. aspects.Where(aspect => aspect != Aspect.Waits && !table.Phrases.IsSilent(aspect, row))
                .Select(aspect => table.Phrases.Whole(aspect, row)),
            .. !aspects.Contains(Aspect.Waits) || table.Phrases.IsSilent(Aspect.Waits, row)
                ? []
                : table.Phrases.Waits(row).Where(wait => wait.Text.Length + wait.Until.Length > 0),
        ];
    }

    /// <summary>What another table does otherwise at each site, without what it does everywhere.</summary>
    public static IReadOnlyList<IReadOnlyList<Fact>> Differences(
        SpelledTable own, SpelledTable other, CatalogueType type)
    {
        var aspects = RowPhrases.Aspects.Where(aspect => other.Common(aspect) is null).ToList();
        return [.. type.Sites.Select((_, position) => Row(own.Row(type, position), other.Row(type, position)))];

        IReadOnlyList<Fact> Row(PolicyCells mine, PolicyCells theirs) =>
        [
            .. aspects.Where(aspect => aspect != Aspect.Waits).Select(aspect => other.Phrases.Whole(aspect, theirs))
                .Where(fact => own.Phrases.Whole(fact.Aspect, mine) != fact),
            .. aspects.Contains(Aspect.Waits) ? other.Phrases.Waits(theirs).Except(Spelled(mine)) : [],
        ];

        // One that waits for nobody is told in a word, and else compared type by type.
        IEnumerable<Fact> Spelled(PolicyCells row) => own.Phrases.Waits(row).Concat(own.Phrases.Targets(row));
    }

    /// <summary>Whether two tables do the same of a type in all.</summary>
    public static bool IsSame(SpelledTable own, SpelledTable other, CatalogueType type) =>
        own.Lifecycle(type).SequenceEqual(other.Lifecycle(type))
        && Enumerable.Range(0, type.Sites.Count)
            .All(position => IsSame(own, own.Row(type, position), other.Row(type, position)));

    private static bool IsSame(SpelledTable table, PolicyCells one, PolicyCells two) =>
        RowPhrases.Aspects.All(aspect => table.Phrases.Whole(aspect, one) == table.Phrases.Whole(aspect, two))
        && table.Phrases.Waits(one).SequenceEqual(table.Phrases.Waits(two));
}
