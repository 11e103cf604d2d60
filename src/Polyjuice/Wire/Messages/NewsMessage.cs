namespace Polyjuice.Wire;

/// <summary>
/// Owner → agent's node: which is your oldest live attempt? And back: the answer is in the header of every batch (R1c).
/// Or, new owner → everybody: a partition has an owner of that epoch now.
/// </summary>
internal readonly struct NewsMessage
{
    /// <summary>The receiver is to say anything at all.</summary>
    public bool IsQuestion { get; init; }

    /// <summary>Which one has a new owner, if there is an epoch.</summary>
    public int Partition { get; init; }

    /// <summary>The new owner's; 0 if none is announced.</summary>
    public long Epoch { get; init; }

    public static NewsMessage Read(in Message message) => new()
    {
        IsQuestion = message.Has(MessageFlags.ToAgent),
        Partition = message.Partition,
        Epoch = message.Epoch,
    };

    public static implicit operator Message(in NewsMessage news) => new()
    {
        Kind = MessageKind.News,
        Partition = news.Partition,
        Epoch = news.Epoch,
        Flags = MessageFlags.ToAgent.When(news.IsQuestion),
    };
}
