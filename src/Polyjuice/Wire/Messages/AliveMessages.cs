using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Node → where an attempt may be: when did it last get on?</summary>
internal readonly struct AliveQuestion
{
    /// <summary>Which attempt.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>It is asked of the agent's node, as that.</summary>
    public bool IsToAgent { get; init; }

    /// <summary>Whether it is the question.</summary>
    public static bool Is(in Message message) => message.Has(MessageFlags.Asks);

    public static AliveQuestion Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        IsToAgent = message.Has(MessageFlags.ToAgent),
    };

    public static implicit operator Message(in AliveQuestion question) => new()
    {
        Kind = MessageKind.Alive,
        Transaction = question.Transaction,
        Flags = MessageFlags.Asks | MessageFlags.ToAgent.When(question.IsToAgent),
    };
}

/// <summary>Node → who has asked: it has got on.</summary>
internal readonly struct AliveAnswer
{
    /// <summary>Which attempt.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>So long ago, in microseconds.</summary>
    public long GotOnBefore { get; init; }

    public static AliveAnswer Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        GotOnBefore = message.Timestamp,
    };

    public static implicit operator Message(in AliveAnswer answer) => new()
    {
        Kind = MessageKind.Alive,
        Transaction = answer.Transaction,
        Timestamp = answer.GotOnBefore,
    };
}
