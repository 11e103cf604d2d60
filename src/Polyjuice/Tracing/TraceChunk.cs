using Polyjuice.Execution;

namespace Polyjuice.Tracing;

/// <summary>
/// One access, as it is recorded: numbers only, so that recording it is a few stores, and small ones that count from what the chunk says, because what recording costs is memory that other things would have had in the caches.
/// </summary>
internal struct AccessEvent
{
    /// <summary>From the agent's in <see cref="TraceChunk.Agents"/>.</summary>
    public int Sequence;

    /// <summary>From <see cref="TraceChunk.Base"/>.</summary>
    public int Time;
    public int Site;
    public int Participant;
    public ushort Number;

    /// <summary>Place in <see cref="TraceChunk.Agents"/>.</summary>
    public ushort Agent;
    public AccessEventFlags Flags;
    public byte Generation;
}

/// <summary>One attempt, as its agent records it when it has ended.</summary>
internal struct AttemptEvent
{
    /// <summary>The first attempt's timestamp, which only the attempts of one transaction have in common.</summary>
    public long First;

    public long Sequence;

    /// <summary>From <see cref="TraceChunk.Base"/>.</summary>
    public int End;
    public int Duration;
    public int Waited;
    public int Type;
    public int Attempt;

    /// <summary>How many accesses it made, as far as its agent knows: less if some ran in parallel.</summary>
    public int Accesses;
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
    // No array is so large that it is born old: recordings that start must bring no full collection nearer.
    public const int AccessesMax = 3_072;
    public const int AttemptsMax = 1_536;

    public readonly AccessEvent[] Accesses = new AccessEvent[AccessesMax];
    public readonly AttemptEvent[] Attempts = new AttemptEvent[AttemptsMax];

    /// <summary>Participants that have their first access of the file here. Their numbers follow each other.</summary>
    public readonly ParticipantKey?[] Names = new ParticipantKey?[AccessesMax];

    /// <summary>Agents whose transactions made accesses here, and the number that those count from. Few: an agent is a silo, or a client that begins transactions itself.</summary>
    public readonly List<(long Node, long Sequence)> Agents = new(8);

    public int AccessCount;
    public int AttemptCount;
    public int NameCount;

    /// <summary>What times count from.</summary>
    public long Base;

    /// <summary>All that happened from here on until <see cref="Until"/>, in windows, is here.</summary>
    public long From;
    public long Until;

    /// <summary>How long the host was busy while it was filled; 0 if it does not say.</summary>
    public long Busy;

    /// <summary>Of which of the recorder's files it is.</summary>
    public int File;

    /// <summary>What was dropped before it, since the chunk before.</summary>
    public long DroppedRecords;
    public long DroppedWindows;

    public bool IsEmpty => AccessCount == 0 && AttemptCount == 0;

    /// <summary>The agent's place, and the attempt's number from there. False if the chunk can't hold it.</summary>
    public bool TryPlace(TransactionId id, out ushort agent, out int sequence)
    {
        for (var i = 0; i < Agents.Count; i++)
        {
            if (Agents[i].Node != id.Node.Value) continue;
            var difference = id.Sequence - Agents[i].Sequence;
            (agent, sequence) = ((ushort)i, (int)difference);
            return difference == sequence;
        }

        (agent, sequence) = ((ushort)Agents.Count, 0);
        if (Agents.Count == ushort.MaxValue) return false;
        Agents.Add((id.Node.Value, id.Sequence));
        return true;
    }

    public void Clear()
    {
        Array.Clear(Names, 0, NameCount);
        Agents.Clear();
        AccessCount = AttemptCount = NameCount = 0;
    }
}
