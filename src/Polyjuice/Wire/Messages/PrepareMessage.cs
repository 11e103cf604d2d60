using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Agent → owner: order this transaction at this timestamp (R1).</summary>
internal readonly struct PrepareMessage
{
    /// <summary>Which transaction.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>The participant that is asked.</summary>
    public int Partition { get; init; }

    /// <summary>The agent's node.</summary>
    public NodeId From { get; init; }

    /// <summary>The epoch that served the accesses (R1b).</summary>
    public long Epoch { get; init; }

    /// <summary>Of the agent's; only answers to the latest count.</summary>
    public int Round { get; init; }

    /// <summary>At which to order it; 0 when it only asks.</summary>
    public long Timestamp { get; init; }

    /// <summary>The partition that decides; −1 if nothing was written, and the agent does.</summary>
    public int Manager { get; init; }

    /// <summary>The only epoch of that which may (V2).</summary>
    public long ManagerEpoch { get; init; }

    /// <summary>So many accesses were served there, as the agent knows.</summary>
    public int Accesses { get; init; }

    /// <summary>All that take part.</summary>
    public ParticipantUse[]? Parts { get; init; }

    /// <summary>Forget the writes, and order the reads only.</summary>
    public bool ReadsOnly { get; init; }

    /// <summary>
    /// No other participant was asked in this round: this one may order at a later timestamp, which it says.
    /// </summary>
    public bool MayRaise { get; init; }

    /// <summary>Wait until all is ordered that it was built on, and say which timestamp would do.</summary>
    public bool OnlyAsks { get; init; }

    /// <summary>All others have ordered it in this round: it is sealed as soon as this one has.</summary>
    public bool IsLast { get; init; }

    public static PrepareMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        Partition = message.Partition,
        From = message.From,
        Epoch = message.Epoch,
        Round = message.Round,
        Timestamp = message.Timestamp,
        Manager = message.Manager,
        ManagerEpoch = message.ManagerEpoch,
        Accesses = message.Count,
        Parts = message.Parts,
        ReadsOnly = message.Has(MessageFlags.Logged),
        MayRaise = message.Has(MessageFlags.MayRaise),
        OnlyAsks = message.Has(MessageFlags.Asks),
        IsLast = message.Has(MessageFlags.Final),
    };

    public static implicit operator Message(in PrepareMessage prepare) => new()
    {
        Kind = MessageKind.Prepare,
        Transaction = prepare.Transaction,
        Partition = prepare.Partition,
        From = prepare.From,
        Epoch = prepare.Epoch,
        Round = prepare.Round,
        Timestamp = prepare.Timestamp,
        Manager = prepare.Manager,
        ManagerEpoch = prepare.ManagerEpoch,
        Count = prepare.Accesses,
        Parts = prepare.Parts,
        Flags = MessageFlags.Logged.When(prepare.ReadsOnly) | MessageFlags.MayRaise.When(prepare.MayRaise)
            | MessageFlags.Asks.When(prepare.OnlyAsks) | MessageFlags.Final.When(prepare.IsLast),
    };
}
