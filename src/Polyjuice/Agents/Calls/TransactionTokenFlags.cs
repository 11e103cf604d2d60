namespace Polyjuice.Agents;

/// <summary>What holds of the transaction that makes a call.</summary>
[Flags]
internal enum TransactionTokenFlags : byte
{
    None = 0,

    ReadOnly = 1,

    Parallel = 2,

    /// <summary>It keeps a record of its accesses, for a body that resumes.</summary>
    Recorded = 4,

    /// <summary>It is a dry run.</summary>
    Dry = 8,

    /// <summary>It has reserved what it is planned to access.</summary>
    Planned = 16,

    /// <summary>That is not all that it may access.</summary>
    PlannedInPart = 32,

    /// <summary>It exposes nothing that it has written.</summary>
    KeepsWrites = 64,

    /// <summary>Somebody keeps a trace of it.</summary>
    Traced = 128,
}
