using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Owner → agent: there is a grain to be activated first, so nothing is reserved.</summary>
internal readonly struct ColdGrainMessage
{
    /// <summary>Who reserves.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>Whether it is this kind of an answer.</summary>
    public static bool Is(in Message message) => message.Has(MessageFlags.Unknown);

    public static ColdGrainMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
    };

    public static implicit operator Message(in ColdGrainMessage cold) => new()
    {
        Kind = MessageKind.Reserved,
        Transaction = cold.Transaction,
        Flags = MessageFlags.Unknown,
    };
}
