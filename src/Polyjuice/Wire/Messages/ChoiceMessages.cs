namespace Polyjuice.Wire;

/// <summary>
/// Node → the one that chooses a table for all: some of its <see cref="Agents.LoadCounts"/>, three to a message.
/// </summary>
internal readonly struct ChoiceReport
{
    /// <summary>Which three: those from three times this index on.</summary>
    public int Group { get; init; }

    /// <summary>The first of them.</summary>
    public long First { get; init; }

    /// <summary>The second, or 0 if there is none.</summary>
    public long Second { get; init; }

    /// <summary>The third, or 0 if there is none.</summary>
    public long Third { get; init; }

    /// <summary>Whether it is a report.</summary>
    public static bool Is(in Message message) => message.Has(MessageFlags.Asks);

    public static ChoiceReport Read(in Message message) => new()
    {
        Group = message.Round,
        First = message.Epoch,
        Second = message.Timestamp,
        Third = message.ManagerEpoch,
    };

    public static implicit operator Message(in ChoiceReport report) => new()
    {
        Kind = MessageKind.Choice,
        Round = report.Group,
        Epoch = report.First,
        Timestamp = report.Second,
        ManagerEpoch = report.Third,
        Flags = MessageFlags.Asks,
    };
}

/// <summary>The one that chooses → node: the table in force.</summary>
internal readonly struct ChoiceAnswer
{
    /// <summary>Its index.</summary>
    public int Table { get; init; }

    public static ChoiceAnswer Read(in Message message) => new()
    {
        Table = message.Count,
    };

    public static implicit operator Message(in ChoiceAnswer answer) => new()
    {
        Kind = MessageKind.Choice,
        Count = answer.Table,
    };
}
