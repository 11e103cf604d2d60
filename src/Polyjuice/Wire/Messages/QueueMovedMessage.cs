using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Owner → agent: a queue has moved in which its attempt waits, or one in which its holder does.</summary>
internal readonly struct QueueMovedMessage
{
    /// <summary>Who waits.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>So long ago, in microseconds.</summary>
    public long MovedBefore { get; init; }

    public static QueueMovedMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        MovedBefore = message.Timestamp,
    };

    public static implicit operator Message(in QueueMovedMessage moved) => new()
    {
        Kind = MessageKind.Reserved,
        Transaction = moved.Transaction,
        Timestamp = moved.MovedBefore,
    };
}
