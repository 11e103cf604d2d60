using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Agent → owners: have these grains activated, as far as they are yours.</summary>
internal readonly struct LoadMessage
{
    /// <summary>Who is going to reserve them.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>Which participants.</summary>
    public ReservationPlan? Grains { get; init; }

    public static LoadMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        Grains = message.Plan,
    };

    public static implicit operator Message(in LoadMessage load) => new()
    {
        Kind = MessageKind.Load,
        Transaction = load.Transaction,
        Plan = load.Grains,
    };
}

/// <summary>Owner → agent: what could be activated is.</summary>
internal readonly struct LoadedMessage
{
    /// <summary>Who has asked.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>So many were not active.</summary>
    public int Count { get; init; }

    /// <summary>All are active now; else some can't be.</summary>
    public bool AreAll { get; init; }

    public static LoadedMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        Count = message.Count,
        AreAll = !message.Has(MessageFlags.Unknown),
    };

    public static implicit operator Message(in LoadedMessage loaded) => new()
    {
        Kind = MessageKind.Loaded,
        Transaction = loaded.Transaction,
        Count = loaded.Count,
        Flags = loaded.AreAll ? MessageFlags.Final : MessageFlags.Unknown,
    };
}
