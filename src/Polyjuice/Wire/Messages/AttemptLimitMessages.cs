namespace Polyjuice.Wire;

/// <summary>
/// Node → the one that finds out for all how many attempts of contended types may run on a silo: what is new here.
/// </summary>
internal readonly struct AttemptLimitReport
{
    /// <summary>So many have ended here without a conflict, since it began to count.</summary>
    public long Commits { get; init; }

    /// <summary>So many have ended by one since then.</summary>
    public long Conflicts { get; init; }

    /// <summary>So many run now.</summary>
    public int Running { get; init; }

    /// <summary>So many ran at the most since it was told last.</summary>
    public int Peak { get; init; }

    /// <summary>One was held back since it was told last.</summary>
    public bool IsBinding { get; init; }

    /// <summary>Another table has come into force there since it was told last.</summary>
    public bool BeginsAnew { get; init; }

    /// <summary>Whether it is a report.</summary>
    public static bool Is(in Message message) => message.Has(MessageFlags.Asks);

    public static AttemptLimitReport Read(in Message message) => new()
    {
        Commits = message.ManagerEpoch,
        Conflicts = message.Timestamp,
        Running = (int)message.Epoch,
        Peak = message.Count,
        IsBinding = message.Has(MessageFlags.Committed),
        BeginsAnew = message.Has(MessageFlags.Final),
    };

    public static implicit operator Message(in AttemptLimitReport report) => new()
    {
        Kind = MessageKind.AttemptLimit,
        ManagerEpoch = report.Commits,
        Timestamp = report.Conflicts,
        Epoch = report.Running,
        Count = report.Peak,
        Flags = MessageFlags.Asks | MessageFlags.Committed.When(report.IsBinding)
            | MessageFlags.Final.When(report.BeginsAnew),
    };
}

/// <summary>The one that finds it out → node: the limit.</summary>
internal readonly struct AttemptLimitAnswer
{
    private const double Millionths = 1e6;

    /// <summary>So many attempts may run.</summary>
    public int Limit { get; init; }

    /// <summary>Conflicts have aborted this share of all. In millionths on the wire.</summary>
    public double AbortShare { get; init; }

    public static AttemptLimitAnswer Read(in Message message) => new()
    {
        Limit = message.Count,
        AbortShare = message.Timestamp / Millionths,
    };

    public static implicit operator Message(in AttemptLimitAnswer answer) => new()
    {
        Kind = MessageKind.AttemptLimit,
        Count = answer.Limit,
        Timestamp = (long)(answer.AbortShare * Millionths),
    };
}
