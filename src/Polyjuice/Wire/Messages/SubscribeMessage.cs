using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Node → agent's node: tell me when it has got that far.</summary>
internal readonly struct SubscribeMessage
{
    /// <summary>Which attempt.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>How far: a position, or one of the levels that waits have.</summary>
    public int Level { get; init; }

    public static SubscribeMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        Level = message.Count,
    };

    public static implicit operator Message(in SubscribeMessage subscription) => new()
    {
        Kind = MessageKind.Subscribe,
        Transaction = subscription.Transaction,
        Count = subscription.Level,
    };
}
