using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>
/// Owner → the agent of who holds what is waited for: tell the agent of who waits whether you get on.
/// </summary>
internal readonly struct HolderQuestion
{
    /// <summary>Who waits.</summary>
    public TransactionId Waiter { get; init; }

    /// <summary>Who holds it.</summary>
    public TransactionId Holder { get; init; }

    /// <summary>Whether it is this, and no chain.</summary>
    public static bool Is(in Message message) => message.Has(MessageFlags.Asks);

    public static HolderQuestion Read(in Message message) => new()
    {
        Waiter = message.Transaction,
        Holder = message.Other,
    };

    public static implicit operator Message(in HolderQuestion question) => new()
    {
        Kind = MessageKind.Reserve,
        Transaction = question.Waiter,
        Other = question.Holder,
        Flags = MessageFlags.Asks,
    };
}
