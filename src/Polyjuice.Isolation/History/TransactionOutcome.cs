namespace Polyjuice.Isolation;

/// <summary>How a transaction ended, as its client was told.</summary>
internal enum TransactionOutcome
{
    /// <summary>It committed.</summary>
    Committed,

    /// <summary>It aborted.</summary>
    Aborted,

    /// <summary>
    /// Its client was told that nobody knows, or nothing at all. It committed if its writes are seen.
    /// </summary>
    Unknown,
}
