using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>
/// Within an agent's node: what its own participants waited for has been ordered; go on with the round.
/// </summary>
internal readonly struct ContinueMessage
{
    /// <summary>Which transaction.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>Where it has waited.</summary>
    public int Partition { get; init; }

    /// <summary>Which round.</summary>
    public int Round { get; init; }

    /// <summary>Its own participants have been asked; ask the rest.</summary>
    public bool AsksRest { get; init; }

    public static ContinueMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        Partition = message.Partition,
        Round = message.Round,
        AsksRest = message.Has(MessageFlags.Final),
    };

    public static implicit operator Message(in ContinueMessage go) => new()
    {
        Kind = MessageKind.Continue,
        Transaction = go.Transaction,
        Partition = go.Partition,
        Round = go.Round,
        Flags = MessageFlags.Final.When(go.AsksRest),
    };
}
