namespace Polyjuice;

/// <summary>
/// Says whether transactions that a grain interface method starts are run again after aborts that are not their fault.
/// By default they are, so a body may run more than once, and what it does outside of transactional state with it.
/// </summary>
/// <param name="retry">Whether to retry.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class TransactionRetryAttribute(TransactionRetry retry) : Attribute
{
    /// <summary>Whether to retry.</summary>
    public TransactionRetry Retry { get; } = retry;
}

/// <summary>Whether a transaction's body may be run again.</summary>
public enum TransactionRetry
{
    /// <summary>After retriable aborts, within the transaction's bounds of attempts and time.</summary>
    Automatic,

    /// <summary>Never: the caller sees the first abort.</summary>
    Never,
}

/// <summary>
/// Tells the access sites within a grain interface method from those of the same path that mean something else.
/// </summary>
/// <param name="label">Stable across builds; becomes part of the sites' names in policy files.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class AccessSiteAttribute(string label) : Attribute
{
    /// <summary>The label.</summary>
    public string Label { get; } = label;
}
