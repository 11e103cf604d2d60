namespace Polyjuice.Policies;

/// <summary>What is the same at all sites, or of all types.</summary>
internal static class CommonSentences
{
    private static readonly (Aspect Aspect, string Name)[] _all =
    [
        (Aspect.Read, "the version read"), (Aspect.Write, "visibility"), (Aspect.EarlyValidation, "early validation"),
        (Aspect.Holders, "waits for holders"), (Aspect.Heat, "what is done at hot participants"),
        (Aspect.Waits, "waits for dependencies"), (Aspect.Admission, "admission"), (Aspect.Backoff, "backoff"),
    ];

    /// <summary>The sentences: of the table, and what others do otherwise everywhere.</summary>
    public static IReadOnlyList<string> Of(SpelledTable own, IReadOnlyList<ComparedTable> others)
    {
        var sentences = new List<string>();
        var common = _all.Select(one => own.Common(one.Aspect)).OfType<Fact>().ToList();
        var told = common.Where(fact => !IsUsual(fact)).ToList();
        if (told.Count > 0) sentences.Add($"It {Enumeration.And(told.Select(fact => fact.Text))}.");
        var differing = _all.Where(one => own.Common(one.Aspect) is null).Select(one => one.Name).ToList();
        if (differing.Count > 0) sentences.Add($"By site and type differ: {Enumeration.And(differing)}.");
        if (own.Common(Aspect.Backoff) is null)
            sentences.Add($"Where no backoff is told, it {LifecyclePhrases.Of(PolicyBackoff.Binary)}.");
        foreach (var other in others)
        {
            var facts = _all.Select(one => other.Table.Common(one.Aspect)).OfType<Fact>()
                .Where(fact => own.Common(fact.Aspect) != fact);
            var text = Enumeration.And(facts.Select(fact => fact.Text));
            if (text.Length > 0) sentences.Add($"{other.Name} {text}.");
            else if (other.IsSameEverywhere) sentences.Add($"{other.Name} does the same everywhere.");
        }

        return sentences;
    }

    /// <summary>What hardly any policy does is said of those that do.</summary>
    private static bool IsUsual(Fact fact) => fact.Aspect switch
    {
        Aspect.Heat => fact.Text == RowPhrases.SameWhenHot,
        Aspect.Admission => fact.Text == LifecyclePhrases.Of(PolicyAdmission.Run),
        _ => false,
    };
}
