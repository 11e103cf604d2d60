namespace Polyjuice.Isolation;

/// <summary>What an operation of a history says about its transaction.</summary>
internal enum OperationType
{
    /// <summary>A client asked for it.</summary>
    Invoke,

    /// <summary>It committed, and its reads are what it read.</summary>
    Ok,

    /// <summary>It aborted: nothing of it may ever be seen.</summary>
    Fail,

    /// <summary>Nobody knows: it may have committed, may have aborted, or may commit later.</summary>
    Info,
}
