using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Owner → agent: ordered, or not at this timestamp but at another one, or refused for good (R2).</summary>
internal readonly struct PrepareReplyMessage
{
    /// <summary>Which transaction.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>The participant that answers.</summary>
    public int FromPartition { get; init; }

    /// <summary>The prepare's.</summary>
    public int Round { get; init; }

    /// <summary>Of the owner, if it is ordered.</summary>
    public long Epoch { get; init; }

    /// <summary>If it is ordered, at which; if another one may do, above which.</summary>
    public long Timestamp { get; init; }

    /// <summary>It is ordered.</summary>
    public bool IsOrdered { get; init; }

    /// <summary>It is refused, and another timestamp may do.</summary>
    public bool MayRetime { get; init; }

    /// <summary>It is refused, and can't commit any more, whatever else happens.</summary>
    public bool NeverCommits { get; init; }

    /// <summary>Why it is refused, if no other timestamp would do.</summary>
    public AbortReason Reason { get; init; }

    public static PrepareReplyMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        FromPartition = message.FromPartition,
        Round = message.Round,
        Epoch = message.Epoch,
        Timestamp = message.Timestamp,
        IsOrdered = message.Has(MessageFlags.Committed),
        MayRetime = message.Has(MessageFlags.Asks),
        NeverCommits = message.Has(MessageFlags.Final),
        Reason = (AbortReason)message.Count,
    };

    public static implicit operator Message(in PrepareReplyMessage reply) => new()
    {
        Kind = MessageKind.PrepareReply,
        Transaction = reply.Transaction,
        FromPartition = reply.FromPartition,
        Round = reply.Round,
        Epoch = reply.Epoch,
        Timestamp = reply.Timestamp,
        Count = (int)reply.Reason,
        Flags = (reply.IsOrdered ? MessageFlags.Committed : MessageFlags.Aborted)
            | MessageFlags.Asks.When(reply.MayRetime) | MessageFlags.Final.When(reply.NeverCommits),
    };
}
