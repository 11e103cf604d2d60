namespace Polyjuice.Storage;

/// <summary>The kinds of log records. Numbers are part of the storage format and never change meaning.</summary>
internal enum LogRecordKind : byte
{
    /// <summary>A new owner (L1).</summary>
    Fence = 1,

    /// <summary>Nothing is ordered or read above this timestamp until a later one is durable (L4).</summary>
    Ceiling = 2,

    /// <summary>A participant's vote: writes, dependencies, who decides (V1).</summary>
    Prepare = 3,

    /// <summary>The manager's decision (V2, V5).</summary>
    Commit = 4,

    /// <summary>The dependencies that a commit record named are decided.</summary>
    Resolved = 5,

    /// <summary>A participant knows the outcome (V6).</summary>
    Outcome = 6,

    /// <summary>The manager may forget (V6).</summary>
    Forget = 7,

    /// <summary>
    /// Each agent's oldest live attempt, as the owner has heard of it: what is older
    /// is over, and its outcome need not be kept for the agent's sake (V6, R1c).
    /// </summary>
    OldestLive = 8,

    /// <summary>In checkpoints only: the latest committed version of a participant.</summary>
    State = 9,

    /// <summary>In checkpoints only: the latest timestamp of any prepare before.</summary>
    Latest = 10,

    /// <summary>
    /// The same as <see cref="Prepare"/>, by the manager of a transaction that is committed as soon as all its
    /// participants have one of the same round, unless something that it depends on aborts (V5).
    /// </summary>
    Staged = 11,
}
