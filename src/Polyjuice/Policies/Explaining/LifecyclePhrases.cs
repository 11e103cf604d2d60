namespace Polyjuice.Policies;

/// <summary>What a policy says of a type's transactions rather than of their accesses.</summary>
internal static class LifecyclePhrases
{
    /// <summary>
    /// Whether it is what goes without saying where others are told: they run at once, or double and halve.
    /// </summary>
    public static bool IsUsual(Fact fact) =>
        fact.Text == Of(PolicyAdmission.Run) || fact.Text == Of(PolicyBackoff.Binary);

    /// <summary>How they are let in.</summary>
    public static string Of(PolicyAdmission admission) => admission switch
    {
        PolicyAdmission.DryRun => "is run dry first",
        PolicyAdmission.DryRunReserve => "is run dry first, and reserves what it accesses",
        PolicyAdmission.DeclaredReserve => "reserves what it declares",
        PolicyAdmission.Auto => "is let in as the silo chooses",
        _ => "runs at once",
    };

    /// <summary>How they back off. A multiplier α stands for a factor of 1 + α.</summary>
    public static string Of(PolicyBackoff backoff)
    {
        var aborted = backoff.Aborted.Distinct().Count() == 1
            ? $"×{1 + backoff.Aborted[0]} after an abort"
            : $"×{1 + backoff.Aborted[0]}, ×{1 + backoff.Aborted[1]} and ×{1 + backoff.Aborted[2]} "
                + "after a first, second and later abort";
        var committed = backoff.Committed.Distinct().Count() == 1
            ? $"÷{1 + backoff.Committed[0]} after a commit"
            : $"÷{1 + backoff.Committed[0]}, ÷{1 + backoff.Committed[1]} and ÷{1 + backoff.Committed[2]} "
                + "after a commit with no, one and more aborts before it";
        return $"backs off {aborted}, {committed}";
    }
}
