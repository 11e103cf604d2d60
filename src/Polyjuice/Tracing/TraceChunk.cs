using Polyjuice.Execution;

namespace Polyjuice.Tracing;

/// <summary>One access, as it is recorded: numbers only, so that recording it is a few stores.</summary>
internal struct AccessEvent
{
    public long Agent;
    public long Sequence;
    public long Time;
    public int Site;
    public int Participant;
    public int Number;
    public AccessEventFlags Flags;
    public byte Generation;
}

/// <summary>One attempt, as its agent records it when it has ended.</summary>
internal struct AttemptEvent
{
    public long Sequence;

    /// <summary>The first attempt's timestamp, which only the attempts of one transaction have in common.</summary>
    public long First;
    public long Start;
    public long End;
    public long Waited;
    public int Type;
    public int Attempt;
    public byte Outcome;
    public byte Generation;
    public AttemptEventFlags Flags;
}

/// <summary>Part of the file format.</summary>
[Flags]
internal enum AccessEventFlags : byte
{
    None = 0,
    Parallel = 1,
    Conflict = 2,
}

/// <summary>Part of the file format.</summary>
[Flags]
internal enum AttemptEventFlags : byte
{
    None = 0,

    /// <summary>There is no other attempt after it.</summary>
    Last = 1,
    ReadOnly = 2,
}

/// <summary>
/// Records of one engine that go to the sink together. Filled on the engine's turn, and then somebody else's until it comes back to be filled again; so it needs no lock.
/// </summary>
internal sealed class TraceChunk
{
    public const int AccessesMax = 8_192;
    public const int AttemptsMax = 4_096;

    public readonly AccessEvent[] Accesses = new AccessEvent[AccessesMax];
    public readonly AttemptEvent[] Attempts = new AttemptEvent[AttemptsMax];

    /// <summary>Participants that have their first access of the file here. Their numbers follow each other.</summary>
    public readonly ParticipantKey?[] Names = new ParticipantKey?[AccessesMax];

    public int AccessCount;
    public int AttemptCount;
    public int NameCount;
    public int FirstName;

    /// <summary>All that happened from here on until <see cref="Until"/>, in windows, is here.</summary>
    public long From;
    public long Until;

    /// <summary>Of which of the recorder's files it is.</summary>
    public int File;

    /// <summary>What was dropped before it, since the chunk before.</summary>
    public long DroppedRecords;
    public long DroppedWindows;

    public bool IsEmpty => AccessCount == 0 && AttemptCount == 0;

    public bool IsFull => AccessCount == AccessesMax || AttemptCount == AttemptsMax;

    public void Clear()
    {
        Array.Clear(Names, 0, NameCount);
        AccessCount = AttemptCount = NameCount = 0;
    }
}
