using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>
/// Agent → owner → next owner: reserve these participants, and hand the rest on at once. The agent repeats it.
/// </summary>
internal readonly struct ReserveMessage
{
    /// <summary>Who reserves.</summary>
    public TransactionId Transaction { get; init; }

    /// <summary>The age of who reserves: when its first attempt began.</summary>
    public long FirstAttempt { get; init; }

    /// <summary>All that is reserved.</summary>
    public ReservationPlan? Plan { get; init; }

    /// <summary>The queues of this entry and those after it are to be joined.</summary>
    public int JoinFrom { get; init; }

    /// <summary>From this entry on the agent is to be told of what is held.</summary>
    public int TellFrom { get; init; }

    /// <summary>So many of the entries between the two were not held at once.</summary>
    public int Waits { get; init; }

    /// <summary>So often the attempt has given way.</summary>
    public int Generation { get; init; }

    /// <summary>Its place in the order of those who reserve; 0 before it has joined a queue.</summary>
    public long Place { get; init; }

    /// <summary>Its grains have been activated, as far as that can be done.</summary>
    public bool IsLoaded { get; init; }

    public static ReserveMessage Read(in Message message) => new()
    {
        Transaction = message.Transaction,
        FirstAttempt = message.Timestamp,
        Plan = message.Plan,
        JoinFrom = message.Count,
        TellFrom = (int)message.Epoch,
        Waits = message.Round,
        Generation = (int)message.ManagerEpoch,
        Place = message.Other.Sequence,
        IsLoaded = message.Has(MessageFlags.Logged),
    };

    public static implicit operator Message(in ReserveMessage reserve) => new()
    {
        Kind = MessageKind.Reserve,
        Transaction = reserve.Transaction,
        Timestamp = reserve.FirstAttempt,
        Plan = reserve.Plan,
        Count = reserve.JoinFrom,
        Epoch = reserve.TellFrom,
        Round = reserve.Waits,
        ManagerEpoch = reserve.Generation,
        Other = new TransactionId(NodeId.None, reserve.Place),
        Flags = MessageFlags.Logged.When(reserve.IsLoaded),
    };
}
