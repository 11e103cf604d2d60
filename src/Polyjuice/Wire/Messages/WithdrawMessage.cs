using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Agent → owners of a chain: the body runs without what its attempt does not hold yet.</summary>
internal readonly struct WithdrawMessage
{
    /// <summary>Who has reserved.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>It keeps what it holds; else it runs without any of it.</summary>
    public bool KeepsHeld { get; init; }

    public static WithdrawMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        KeepsHeld = !message.Has(MessageFlags.Final),
    };

    public static implicit operator Message(in WithdrawMessage withdrawal) => new()
    {
        Kind = MessageKind.Withdraw,
        Transaction = withdrawal.Transaction,
        Flags = MessageFlags.Final.When(!withdrawal.KeepsHeld),
    };
}
