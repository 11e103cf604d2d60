using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Manager → participant: committed or aborted.</summary>
internal readonly struct OutcomeMessage
{
    /// <summary>Which transaction.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>The manager's node.</summary>
    public NodeId From { get; init; }

    /// <summary>The participant's.</summary>
    public int Partition { get; init; }

    /// <summary>The manager's.</summary>
    public int FromPartition { get; init; }

    /// <summary>Of the commit; 0 if that is not known any more.</summary>
    public long Timestamp { get; init; }

    /// <summary>It has committed; else it has aborted.</summary>
    public bool IsCommitted { get; init; }

    /// <summary>The manager's log says so: the participant may log it, and acknowledges that (V5, V6).</summary>
    public bool IsFinal { get; init; }

    /// <summary>It has aborted, because the manager does not know it (V4).</summary>
    public bool IsUnknown { get; init; }

    /// <summary>The manager's row is short of room: acknowledge it soon.</summary>
    public bool IsSoon { get; init; }

    public static OutcomeMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        From = message.From,
        Partition = message.Partition,
        FromPartition = message.FromPartition,
        Timestamp = message.Timestamp,
        IsCommitted = !message.Has(MessageFlags.Aborted),
        IsFinal = message.Has(MessageFlags.Final),
        IsUnknown = message.Has(MessageFlags.Unknown),
        IsSoon = message.Has(MessageFlags.Logged),
    };

    public static implicit operator Message(in OutcomeMessage outcome) => new()
    {
        Kind = MessageKind.Outcome,
        Transaction = outcome.Transaction,
        From = outcome.From,
        Partition = outcome.Partition,
        FromPartition = outcome.FromPartition,
        Timestamp = outcome.Timestamp,
        Flags = (outcome.IsCommitted ? MessageFlags.Committed : MessageFlags.Aborted)
            | MessageFlags.Final.When(outcome.IsFinal) | MessageFlags.Unknown.When(outcome.IsUnknown)
            | MessageFlags.Logged.When(outcome.IsSoon),
    };
}

/// <summary>Manager → agent: committed or aborted.</summary>
internal readonly struct AgentOutcomeMessage
{
    /// <summary>Which transaction.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>The manager's.</summary>
    public int FromPartition { get; init; }

    /// <summary>Of the commit; 0 if that is not known any more.</summary>
    public long Timestamp { get; init; }

    /// <summary>Why the final step has failed, if it has.</summary>
    public AbortReason Refusal { get; init; }

    /// <summary>It has committed; else it has aborted.</summary>
    public bool IsCommitted { get; init; }

    /// <summary>The manager's log says so.</summary>
    public bool IsFinal { get; init; }

    /// <summary>It has aborted, because the manager does not know it (V4).</summary>
    public bool IsUnknown { get; init; }

    public static AgentOutcomeMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        FromPartition = message.FromPartition,
        Timestamp = message.Timestamp,
        Refusal = (AbortReason)message.Count,
        IsCommitted = message.Has(MessageFlags.Committed),
        IsFinal = message.Has(MessageFlags.Final),
        IsUnknown = message.Has(MessageFlags.Unknown),
    };

    public static implicit operator Message(in AgentOutcomeMessage outcome) => new()
    {
        Kind = MessageKind.AgentOutcome,
        Transaction = outcome.Transaction,
        FromPartition = outcome.FromPartition,
        Timestamp = outcome.Timestamp,
        Count = (int)outcome.Refusal,
        Flags = (outcome.IsCommitted ? MessageFlags.Committed : MessageFlags.Aborted)
            | MessageFlags.Final.When(outcome.IsFinal) | MessageFlags.Unknown.When(outcome.IsUnknown),
    };
}
