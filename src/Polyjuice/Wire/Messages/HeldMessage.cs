using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>Owner → agent: these entries of its plan are held.</summary>
internal readonly struct HeldMessage
{
    /// <summary>Who reserves.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>The first of them.</summary>
    public int From { get; init; }

    /// <summary>The one after the last; 0 from engines of before, which mean all of the plan.</summary>
    public int To { get; init; }

    /// <summary>As of so many times that the attempt had given way.</summary>
    public int Generation { get; init; }

    /// <summary>So many were not held at once.</summary>
    public int Waits { get; init; }

    /// <summary>Something was passed over, because nobody serves it.</summary>
    public bool HasGap { get; init; }

    /// <summary>Whether it is this kind of an answer.</summary>
    public static bool Is(in Message message) => message.Has(MessageFlags.Final);

    public static HeldMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        From = (int)message.Epoch,
        To = message.Count,
        Generation = (int)message.ManagerEpoch,
        Waits = message.Round,
        HasGap = message.Has(MessageFlags.Asks),
    };

    public static implicit operator Message(in HeldMessage held) => new()
    {
        Kind = MessageKind.Reserved,
        Transaction = held.Transaction,
        Epoch = held.From,
        Count = held.To,
        ManagerEpoch = held.Generation,
        Round = held.Waits,
        Flags = MessageFlags.Final | MessageFlags.Asks.When(held.HasGap),
    };
}
