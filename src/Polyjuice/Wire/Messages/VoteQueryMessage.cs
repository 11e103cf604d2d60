using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>
/// A later epoch of the manager → participant: is your prepare of this round durable? If not, it never will be (V2).
/// </summary>
internal readonly struct VoteQueryMessage
{
    /// <summary>Which transaction.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>The manager's node.</summary>
    public NodeId From { get; init; }

    /// <summary>The manager's.</summary>
    public int FromPartition { get; init; }

    /// <summary>The epoch that served the accesses.</summary>
    public long Epoch { get; init; }

    /// <summary>Which round.</summary>
    public int Round { get; init; }

    /// <summary>Of the manager that asks.</summary>
    public long ManagerEpoch { get; init; }

    public static VoteQueryMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        From = message.From,
        FromPartition = message.FromPartition,
        Epoch = message.Epoch,
        Round = message.Round,
        ManagerEpoch = message.ManagerEpoch,
    };

    public static implicit operator Message(in VoteQueryMessage query) => new()
    {
        Kind = MessageKind.VoteQuery,
        Transaction = query.Transaction,
        From = query.From,
        FromPartition = query.FromPartition,
        Epoch = query.Epoch,
        Round = query.Round,
        ManagerEpoch = query.ManagerEpoch,
    };
}
