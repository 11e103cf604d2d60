namespace Polyjuice.Wire;

/// <summary>Node → the one that decides for all: what a type's transactions have done here.</summary>
internal readonly struct AdmissionReport
{
    // Bits of the count.
    private const int Conflicts = 1;
    private const int DryConflicts = 2;
    private const int AtMostKeeps = 4;

    /// <summary>A hash of the type's name.</summary>
    public ulong Type { get; init; }

    /// <summary>So many have committed here, since it began to count.</summary>
    public long Commits { get; init; }

    /// <summary>For so long transactions of any type were open meanwhile, in microseconds.</summary>
    public long OpenTime { get; init; }

    /// <summary>So many of them end in conflicts that another way is worth a try.</summary>
    public bool HasConflicts { get; init; }

    /// <summary>Besides, they are run dry in any case.</summary>
    public bool RunsDryInConflict { get; init; }

    /// <summary>They must not be run dry: at most, what they write stays private.</summary>
    public bool KeepsAtMost { get; init; }

    /// <summary>Whether it is a report.</summary>
    public static bool Is(in Message message) => message.Has(MessageFlags.Asks);

    public static AdmissionReport Read(in Message message) => new()
    {
        Type = (ulong)message.Epoch,
        Commits = message.ManagerEpoch,
        OpenTime = message.Timestamp,
        HasConflicts = (message.Count & Conflicts) != 0,
        RunsDryInConflict = (message.Count & DryConflicts) != 0,
        KeepsAtMost = (message.Count & AtMostKeeps) != 0,
    };

    public static implicit operator Message(in AdmissionReport report) => new()
    {
        Kind = MessageKind.Admission,
        Epoch = (long)report.Type,
        ManagerEpoch = report.Commits,
        Timestamp = report.OpenTime,
        Count = (report.HasConflicts ? Conflicts : 0) | (report.RunsDryInConflict ? DryConflicts : 0)
            | (report.KeepsAtMost ? AtMostKeeps : 0),
        Flags = MessageFlags.Asks,
    };
}

/// <summary>
/// The one that decides → node: how this type's transactions are let in. If not as said here, then at once, and by the
/// table's rows.
/// </summary>
internal readonly struct AdmissionAnswer
{
    /// <summary>A hash of the type's name.</summary>
    public ulong Type { get; init; }

    /// <summary>They reserve.</summary>
    public bool Reserves { get; init; }

    /// <summary>They run at once, and keep writes private. Engines that know two ways only do not know of it.</summary>
    public bool KeepsWrites { get; init; }

    public static AdmissionAnswer Read(in Message message) => new()
    {
        Type = (ulong)message.Epoch,
        Reserves = message.Has(MessageFlags.Committed),
        KeepsWrites = message.Count == 1,
    };

    public static implicit operator Message(in AdmissionAnswer answer) => new()
    {
        Kind = MessageKind.Admission,
        Epoch = (long)answer.Type,
        Count = answer.KeepsWrites ? 1 : 0,
        Flags = MessageFlags.Committed.When(answer.Reserves),
    };
}
