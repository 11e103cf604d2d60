using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Participant → manager, or → agent when nothing was written: V1.</summary>
internal readonly struct VoteMessage
{
    /// <summary>Which transaction.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>The manager's; −1 if it goes to the agent.</summary>
    public int Partition { get; init; }

    /// <summary>Who votes.</summary>
    public int FromPartition { get; init; }

    /// <summary>Of the owner that votes.</summary>
    public long Epoch { get; init; }

    /// <summary>In which it ordered the transaction.</summary>
    public int Round { get; init; }

    /// <summary>At which.</summary>
    public long Timestamp { get; init; }

    /// <summary>The only one that may decide (V2).</summary>
    public long ManagerEpoch { get; init; }

    /// <summary>All that take part.</summary>
    public ParticipantUse[]? Parts { get; init; }

    /// <summary>What the transaction depends on there (R3).</summary>
    public CommitDependency[]? Dependencies { get; init; }

    /// <summary>The participant logs a prepare.</summary>
    public bool IsLogged { get; init; }

    /// <summary>It answers a vote query: there is no prepare of that round, and never will be.</summary>
    public bool IsDenied { get; init; }

    public static VoteMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        Partition = message.Partition,
        FromPartition = message.FromPartition,
        Epoch = message.Epoch,
        Round = message.Round,
        Timestamp = message.Timestamp,
        ManagerEpoch = message.ManagerEpoch,
        Parts = message.Parts,
        Dependencies = message.Dependencies,
        IsLogged = message.Has(MessageFlags.Logged),
        IsDenied = message.Has(MessageFlags.Aborted),
    };

    public static implicit operator Message(in VoteMessage vote) => new()
    {
        Kind = MessageKind.Vote,
        Transaction = vote.Transaction,
        Partition = vote.Partition,
        FromPartition = vote.FromPartition,
        Epoch = vote.Epoch,
        Round = vote.Round,
        Timestamp = vote.Timestamp,
        ManagerEpoch = vote.ManagerEpoch,
        Parts = vote.Parts,
        Dependencies = vote.Dependencies,
        Flags = MessageFlags.Logged.When(vote.IsLogged) | MessageFlags.Aborted.When(vote.IsDenied),
    };
}
