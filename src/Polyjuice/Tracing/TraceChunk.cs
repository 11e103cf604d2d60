using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Versions;

namespace Polyjuice.Tracing;

/// <summary>
/// One access, as it is recorded: numbers only, so that recording it is a few stores, and small ones that count from
/// what the chunk says, because what recording costs is memory that other things would have had in the caches.
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
/// Records of one engine that go to the sink together. Filled on the engine's turn, and then somebody else's until it
/// comes back to be filled again; so it needs no lock.
/// </summary>
/// <param name="hasCalls">Whether calls are recorded, too.</param>
/// <param name="hasStates">Whether states are recorded, too.</param>
internal sealed class TraceChunk(bool hasCalls = false, bool hasStates = false)
{
    // No array is so large that it is born old: recordings that start must bring no full collection nearer.
    public const int AccessesMax = 3_072;
    public const int AttemptsMax = 1_536;
    public const int StatesMax = 2_048;

    public readonly AccessEvent[] Accesses = new AccessEvent[AccessesMax];
    public readonly AttemptEvent[] Attempts = new AttemptEvent[AttemptsMax];

    /// <summary>
    /// Participants that the file names here for the first time: with their first access, or with a state that was
    /// decided later. Their numbers follow each other.
    /// </summary>
    public readonly ParticipantKey?[] Names = new ParticipantKey?[AccessesMax + (hasStates ? StatesMax : 0)];

    /// <summary>
    /// Agents whose transactions made accesses here, and the number that those count from. Few: an agent is a silo, or
    /// a client that begins transactions itself.
    /// </summary>
    public readonly List<(long Node, long Sequence)> Agents = new(8);

    /// <summary>
    /// The calls of those of <see cref="Attempts"/> that were the
    /// last ones, in their order; empty if calls are not recorded.
    /// </summary>
    public readonly CallEvent[] Calls = hasCalls ? new CallEvent[AttemptsMax] : [];

    /// <summary>Their arguments, one after the other.</summary>
    public readonly BoundedBuffer Arguments = new();

    /// <summary>States as of a window's begin, of what is accessed in it; none if states are not recorded.</summary>
    public readonly List<StateEvent> States = [];

    /// <summary>Their bytes, one after the other.</summary>
    public readonly BoundedBuffer StateBytes = new();

    public int AccessCount;
    public int AttemptCount;
    public int CallCount;
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

    public bool IsEmpty => AccessCount == 0 && AttemptCount == 0 && States.Count == 0;

    public bool IsFullOfArguments => Arguments.IsFull;

    public bool IsFullOfStates => States.Count >= StatesMax || StateBytes.IsFull;

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

    /// <summary>Adds the call of the attempt that was added last.</summary>
    public void AddCall(ITracedCall? call, int argumentBytesMax)
    {
        ref var record = ref Calls[CallCount++];
        record = new CallEvent { State = TracedCallState.NoCall };
        if (call is null) return;
        Arguments.Begin(argumentBytesMax);
        try
        {
            (record.Method, record.GrainKey) = (call.Method, call.GrainKey);
            call.WriteArguments(Arguments);
            (record.Length, record.State) = (Arguments.End(), TracedCallState.Whole);
        }
        catch (Exception)
        {
            // The application's serializer may throw anything; recording
            // fails no transaction, and the trace says what it lacks.
            record.State = record.Method is null
                ? TracedCallState.NoCall
                : Arguments.IsOver ? TracedCallState.TooLarge : TracedCallState.NotEncodable;
            Arguments.TakeBack();
        }
    }

    /// <summary>Adds what a participant had for a state when the window began.</summary>
    /// <param name="participant">Its number in the file.</param>
    /// <param name="time">
    /// When it was accessed, from <see cref="Base"/>; before it, if that was in an earlier chunk.
    /// </param>
    /// <param name="version">The state.</param>
    /// <param name="adapter">Encodes it.</param>
    /// <param name="stateBytesMax">More is left out.</param>
    /// <param name="isKnown">Whether it is that one; else the trace says that it is not known.</param>
    public void AddState(
        int participant, int time, StateVersion version, StateAdapter adapter, int stateBytesMax, bool isKnown)
    {
        var state = new StateEvent { Participant = participant, Time = time, Codec = adapter.CodecName };
        state.Kind = !isKnown ? TracedStateKind.Forgotten
            : version.Content is null ? TracedStateKind.Initial
            : Encode(version, adapter, stateBytesMax);
        if (state.Kind == TracedStateKind.Whole) state.Length = StateBytes.End();
        States.Add(state);
    }

    private TracedStateKind Encode(StateVersion version, StateAdapter adapter, int bytesMax)
    {
        StateBytes.Begin(bytesMax);
        try
        {
            version.Encode(adapter, StateBytes);
            return TracedStateKind.Whole;
        }
        catch (Exception)
        {
            // The application's codec may throw anything; recording fails
            // no transaction, and the trace says what it lacks.
            StateBytes.TakeBack();
            return StateBytes.IsOver ? TracedStateKind.TooLarge : TracedStateKind.NotEncodable;
        }
    }

    /// <summary>The counts with what is here.</summary>
    public TraceCounts AddTo(TraceCounts counts)
    {
        var (calls, lostCalls) = (0, 0);
        foreach (ref readonly var call in Calls.AsSpan(0, CallCount))
        {
            if (call.State == TracedCallState.Whole) calls++;
            else if (call.State != TracedCallState.NoCall) lostCalls++;
        }

        var (known, lost) = (0, 0);
        foreach (var state in States)
        {
            if (state.Kind.IsKnown()) known++;
            else lost++;
        }

        return counts with
        {
            Attempts = counts.Attempts + AttemptCount,
            Accesses = counts.Accesses + AccessCount,
            Calls = counts.Calls + calls,
            DroppedCalls = counts.DroppedCalls + lostCalls,
            ArgumentBytes = counts.ArgumentBytes + Arguments.Written.Length,
            States = counts.States + known,
            DroppedStates = counts.DroppedStates + lost,
            StateBytes = counts.StateBytes + StateBytes.Written.Length,
        };
    }

    public void Clear()
    {
        Array.Clear(Names, 0, NameCount);
        Array.Clear(Calls, 0, CallCount);
        Arguments.Clear();
        States.Clear();
        StateBytes.Clear();
        Agents.Clear();
        AccessCount = AttemptCount = CallCount = NameCount = 0;
    }
}
