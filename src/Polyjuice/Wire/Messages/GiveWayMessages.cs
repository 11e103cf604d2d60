using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Owner → agent of who holds a reservation: let an older one go first, if the body has not begun.</summary>
internal readonly struct GiveWayQuestion
{
    /// <summary>Who holds it.</summary>
    public TransactionId Holder { get; init; }

    /// <summary>Who waits for it.</summary>
    public TransactionId Waiter { get; init; }

    /// <summary>The entry of the holder's plan.</summary>
    public int At { get; init; }

    /// <summary>Whether it is the question.</summary>
    public static bool Is(in Message message) => message.Has(MessageFlags.Asks);

    public static GiveWayQuestion Read(in Message message) => new()
    {
        Holder = message.Transaction,
        Waiter = message.Other,
        At = message.Count,
    };

    public static implicit operator Message(in GiveWayQuestion question) => new()
    {
        Kind = MessageKind.GiveWay,
        Transaction = question.Holder,
        Other = question.Waiter,
        Count = question.At,
        Flags = MessageFlags.Asks,
    };
}

/// <summary>Agent → owner: it may go first.</summary>
internal readonly struct GiveWayAnswer
{
    /// <summary>Who holds it.</summary>
    public TransactionId Holder { get; init; }

    /// <summary>Who waits for it.</summary>
    public TransactionId Waiter { get; init; }

    /// <summary>The entry of the holder's plan.</summary>
    public int At { get; init; }

    /// <summary>So often the holder has given way, this time included.</summary>
    public int Generation { get; init; }

    public static GiveWayAnswer Read(in Message message) => new()
    {
        Holder = message.Transaction,
        Waiter = message.Other,
        At = message.Count,
        Generation = (int)message.ManagerEpoch,
    };

    public static implicit operator Message(in GiveWayAnswer answer) => new()
    {
        Kind = MessageKind.GiveWay,
        Transaction = answer.Holder,
        Other = answer.Waiter,
        Count = answer.At,
        ManagerEpoch = answer.Generation,
    };
}
