namespace Polyjuice.Agents.Spans;

/// <summary>
/// The names of activities and of their tags. That of a transaction is named after its type. No name and no value holds
/// a grain's key.
/// </summary>
internal static class SpanNames
{
    /// <summary>An attempt of a transaction.</summary>
    public const string Attempt = "polyjuice.attempt";

    /// <summary>A dry run before an attempt.</summary>
    public const string DryRun = "polyjuice.dry_run";

    /// <summary>An attempt waits until it holds what it reserves.</summary>
    public const string Reserve = "polyjuice.reserve";

    /// <summary>An access waits for another transaction.</summary>
    public const string Wait = "polyjuice.wait";

    /// <summary>An attempt is ordered at its participants.</summary>
    public const string Prepare = "polyjuice.prepare";

    /// <summary>An attempt that is ordered everywhere waits for logs, and for those that it was built upon.</summary>
    public const string Append = "polyjuice.append";

    public const string Id = "polyjuice.transaction.id";
    public const string Type = "polyjuice.transaction.type";
    public const string AttemptNumber = "polyjuice.transaction.attempt";
    public const string Attempts = "polyjuice.transaction.attempts";
    public const string Outcome = "polyjuice.transaction.outcome";
    public const string Held = "polyjuice.transaction.held";
    public const string AbortReason = "polyjuice.abort.reason";
    public const string ConflictType = "polyjuice.conflict.type";
    public const string ConflictId = "polyjuice.conflict.id";
    public const string PolicyVersion = "polyjuice.policy.version";
    public const string WaitSite = "polyjuice.wait.site";
    public const string WaitOutcome = "polyjuice.wait.outcome";
}
