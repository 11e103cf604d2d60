using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>
/// Participant or agent → manager: what became of it (V2, V4)? Or: abort it if you still can, and say so (V3).
/// </summary>
internal readonly struct QueryMessage
{
    /// <summary>Which transaction.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>Who asks.</summary>
    public NodeId From { get; init; }

    /// <summary>The manager's.</summary>
    public int Partition { get; init; }

    /// <summary>The participant that asks; −1 if the agent does.</summary>
    public int FromPartition { get; init; }

    /// <summary>The only one that may decide.</summary>
    public long ManagerEpoch { get; init; }

    /// <summary>The answer goes to the agent.</summary>
    public bool IsToAgent { get; init; }

    /// <summary>Abort it, if that can still be done.</summary>
    public bool WishesAbort { get; init; }

    /// <summary>It can't commit any more, whatever else happens.</summary>
    public bool NeverCommits { get; init; }

    public static QueryMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        From = message.From,
        Partition = message.Partition,
        FromPartition = message.FromPartition,
        ManagerEpoch = message.ManagerEpoch,
        IsToAgent = message.Has(MessageFlags.ToAgent),
        WishesAbort = message.Kind == MessageKind.AbortRequest,
        NeverCommits = message.Has(MessageFlags.Final),
    };

    public static implicit operator Message(in QueryMessage query) => new()
    {
        Transaction = query.Transaction,
        From = query.From,
        Partition = query.Partition,
        FromPartition = query.FromPartition,
        ManagerEpoch = query.ManagerEpoch,
        Kind = query.WishesAbort ? MessageKind.AbortRequest : MessageKind.Query,
        Flags = MessageFlags.ToAgent.When(query.IsToAgent) | MessageFlags.Final.When(query.NeverCommits),
    };
}
