namespace Polyjuice.Wire;

/// <summary>Owner → owners of other partitions: these participants are hot.</summary>
internal readonly struct HotMessage
{
    /// <summary>Which.</summary>
    public ReservationPlan? Participants { get; init; }

    public static HotMessage Read(in Message message) => new()
    {
        Participants = message.Plan,
    };

    public static implicit operator Message(in HotMessage hot) => new()
    {
        Kind = MessageKind.Hot,
        Plan = hot.Participants,
    };
}
