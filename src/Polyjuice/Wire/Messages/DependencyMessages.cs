using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Manager or agent → participant where a dependency arose: what became of it (V5)?</summary>
internal readonly struct DependencyQueryMessage
{
    /// <summary>Which transaction depends.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>On which.</summary>
    public TransactionId Dependency { get; init; }

    /// <summary>Who asks.</summary>
    public NodeId From { get; init; }

    /// <summary>Where it arose.</summary>
    public int Partition { get; init; }

    /// <summary>The manager that asks; −1 if the agent does.</summary>
    public int FromPartition { get; init; }

    /// <summary>In which epoch.</summary>
    public long Epoch { get; init; }

    /// <summary>The answer goes to the agent.</summary>
    public bool IsToAgent { get; init; }

    public static DependencyQueryMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        Dependency = message.Other,
        From = message.From,
        Partition = message.Partition,
        FromPartition = message.FromPartition,
        Epoch = message.Epoch,
        IsToAgent = message.Has(MessageFlags.ToAgent),
    };

    public static implicit operator Message(in DependencyQueryMessage query) => new()
    {
        Kind = MessageKind.DependencyQuery,
        Transaction = query.Transaction,
        Other = query.Dependency,
        From = query.From,
        Partition = query.Partition,
        FromPartition = query.FromPartition,
        Epoch = query.Epoch,
        Flags = MessageFlags.ToAgent.When(query.IsToAgent),
    };
}

/// <summary>Participant → who has asked: what became of it.</summary>
internal readonly struct DependencyAnswerMessage
{
    /// <summary>Which transaction depends.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>On which.</summary>
    public TransactionId Dependency { get; init; }

    /// <summary>The manager that has asked.</summary>
    public int Partition { get; init; }

    /// <summary>Where it arose; −1 if the manager itself has decided it.</summary>
    public int FromPartition { get; init; }

    /// <summary>It has committed; else it has aborted.</summary>
    public bool IsCommitted { get; init; }

    /// <summary>The agent has asked, and not a manager.</summary>
    public bool IsToAgent { get; init; }

    /// <summary>Whether it is for the agent.</summary>
    public static bool IsForAgent(in Message message) => message.Has(MessageFlags.ToAgent);

    public static DependencyAnswerMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        Dependency = message.Other,
        Partition = message.Partition,
        FromPartition = message.FromPartition,
        IsCommitted = !message.Has(MessageFlags.Aborted),
        IsToAgent = message.Has(MessageFlags.ToAgent),
    };

    public static implicit operator Message(in DependencyAnswerMessage answer) => new()
    {
        Kind = MessageKind.DependencyAnswer,
        Transaction = answer.Transaction,
        Other = answer.Dependency,
        Partition = answer.Partition,
        FromPartition = answer.FromPartition,
        Flags = (answer.IsCommitted ? MessageFlags.Committed : MessageFlags.Aborted)
            | MessageFlags.ToAgent.When(answer.IsToAgent),
    };
}
