using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Node → agent: a running attempt can't commit, so let everyone stop working for it.</summary>
internal readonly struct DoomedMessage
{
    /// <summary>Which attempt.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>Why.</summary>
    public AbortReason Reason { get; init; }

    public static DoomedMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        Reason = (AbortReason)message.Count,
    };

    public static implicit operator Message(in DoomedMessage doomed) => new()
    {
        Kind = MessageKind.Doomed,
        Transaction = doomed.Transaction,
        Count = (int)doomed.Reason,
    };
}
