using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Agent's node → subscriber: how far an attempt has got.</summary>
internal readonly struct ProgressMessage
{
    /// <summary>Which attempt.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>Its position; 0 when it is over.</summary>
    public int Reached { get; init; }

    /// <summary>It is in nobody's way any more.</summary>
    public bool IsOver { get; init; }

    public static ProgressMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        Reached = message.Count,
        IsOver = message.Has(MessageFlags.Final),
    };

    public static implicit operator Message(in ProgressMessage progress) => new()
    {
        Kind = MessageKind.Progress,
        Transaction = progress.Transaction,
        Count = progress.Reached,
        Flags = MessageFlags.Final.When(progress.IsOver),
    };
}

/// <summary>Callee's node → caller's node: how far a call has got.</summary>
internal readonly struct CallProgressMessage
{
    /// <summary>Whose call.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>Which, as the caller's node counts.</summary>
    public long CallId { get; init; }

    /// <summary>The position of what runs below it.</summary>
    public int Reached { get; init; }

    /// <summary>Whether it is of a call, and not of an attempt.</summary>
    public static bool Is(in Message message) => message.Has(MessageFlags.Asks);

    public static CallProgressMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        CallId = message.Epoch,
        Reached = message.Count,
    };

    public static implicit operator Message(in CallProgressMessage progress) => new()
    {
        Kind = MessageKind.Progress,
        Transaction = progress.Transaction,
        Epoch = progress.CallId,
        Count = progress.Reached,
        Flags = MessageFlags.Asks,
    };
}
