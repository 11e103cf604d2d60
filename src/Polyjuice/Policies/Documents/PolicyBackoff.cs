namespace Polyjuice.Policies;

/// <summary>
/// The learned backoff of one transaction type (paper §4.5): a multiplier α per outcome and number of prior aborts (0,
/// 1, 2 or more). On abort the backoff is multiplied by 1 + α, on commit divided by it.
/// </summary>
internal sealed record PolicyBackoff
{
    /// <summary>What a multiplier can be.</summary>
    public static readonly IReadOnlyList<int> Multipliers = ValueList.Of([0, 1, 2, 4, 8]);

    /// <summary>Doubles on abort, halves on commit: what a type without a backoff gets.</summary>
    public static readonly PolicyBackoff Binary = new([1, 1, 1], [1, 1, 1]);

    /// <summary>Three multipliers each, for 0, 1 and at least 2 prior aborts.</summary>
    public PolicyBackoff(IEnumerable<int> committed, IEnumerable<int> aborted)
    {
        Committed = Checked(committed, nameof(committed));
        Aborted = Checked(aborted, nameof(aborted));
    }

    /// <summary>After a committed attempt.</summary>
    public IReadOnlyList<int> Committed { get; }

    /// <summary>After an aborted attempt.</summary>
    public IReadOnlyList<int> Aborted { get; }

    private static IReadOnlyList<int> Checked(IEnumerable<int> values, string name)
    {
        var list = ValueList.Of(values);
        if (list.Count != 3 || list.Any(value => !Multipliers.Contains(value)))
            throw new ArgumentException("Three multipliers out of 0, 1, 2, 4 and 8.", name);
        return list;
    }
}
