namespace Polyjuice.Policies;

/// <summary>What a fact is about. Sentences name them in this order.</summary>
internal enum Aspect
{
    Read,
    Write,
    EarlyValidation,
    Holders,
    Heat,
    Waits,
    Admission,
    Backoff,
}

/// <summary>Something that a policy says of a site or of a type.</summary>
/// <param name="Aspect">What it is about.</param>
/// <param name="Text">What is done, as a verb with its object; empty for a wait for one type.</param>
/// <param name="Target">Who is waited for.</param>
/// <param name="Until">Until when: <see cref="Sealed"/>, <see cref="Last"/>, a site, or empty: not at all.</param>
internal readonly record struct Fact(Aspect Aspect, string Text, string Target = "", string Until = "")
{
    /// <summary>Until the other one is sealed.</summary>
    public const string Sealed = "sealed";

    /// <summary>Until the other one has finished its last site.</summary>
    public const string Last = "last";

    /// <summary>Facts as a clause: "reads dirty versions; waits for Pay until its site 2 (log update)".</summary>
    public static string Join(IEnumerable<Fact> facts)
    {
        var ordered = facts.OrderBy(fact => fact.Aspect).ToList();
        List<string> parts = [];
        Add(Enumeration.And(ordered.Where(fact => fact.Text.Length > 0).Select(fact => fact.Text)));
        var waits = ordered.Where(fact => fact.Text.Length == 0).ToList();
        var clauses = waits.Where(wait => wait.Until.Length > 0).GroupBy(wait => wait.Until).Select(Clause).ToList();
        if (clauses.Count > 0) Add($"waits {string.Join(", ", clauses)}");
        var none = waits.Where(wait => wait.Until.Length == 0).Select(wait => wait.Target).ToList();
        if (none.Count > 0) Add($"does not wait for {Enumeration.And(none)}");
        return string.Join("; ", parts);

        void Add(string part)
        {
            if (part.Length > 0) parts.Add(part);
        }
    }

    private static string Clause(IGrouping<string, Fact> waits)
    {
        var targets = waits.Select(wait => wait.Target).ToList();
        var isOne = targets.Count == 1;
        var until = waits.Key switch
        {
            Sealed => isOne ? "it is sealed" : "they are sealed",
            Last => isOne ? "its last site" : "their last sites",
            _ => $"its {waits.Key}",
        };
        return $"for {Enumeration.And(targets)} until {until}";
    }
}
