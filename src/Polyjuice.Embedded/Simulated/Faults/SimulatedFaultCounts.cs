namespace Polyjuice.Embedded;

/// <summary>How often what went wrong so far.</summary>
public sealed record SimulatedFaultCounts
{
    /// <summary>Silos that died.</summary>
    public int Crashes { get; internal set; }

    /// <summary>Partitions that were taken over from an owner that lived.</summary>
    public int RivalOwners { get; internal set; }

    /// <summary>Pairs of nodes that lost sight of each other, one way or both.</summary>
    public int Cuts { get; internal set; }

    /// <summary>Silos that were slow for a while.</summary>
    public int SlowSilos { get; internal set; }

    /// <summary>Clocks that jumped.</summary>
    public int ClockJumps { get; internal set; }

    /// <summary>Messages that were lost; what a cut swallowed is not counted.</summary>
    public int MessagesLost { get; internal set; }

    /// <summary>Messages that were sent twice.</summary>
    public int MessagesDoubled { get; internal set; }

    /// <summary>Appends that were reported as failed.</summary>
    public int AppendErrors { get; internal set; }

    /// <summary>All of them.</summary>
    public int Total => Crashes + RivalOwners + Cuts + SlowSilos + ClockJumps + MessagesLost + MessagesDoubled + AppendErrors;
}
