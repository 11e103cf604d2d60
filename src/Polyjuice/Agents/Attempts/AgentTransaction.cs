using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Where an attempt stands at its agent.</summary>
internal enum AgentState : byte
{
    /// <summary>The body runs.</summary>
    Running,

    /// <summary>Prepares are out.</summary>
    Preparing,

    /// <summary>Ordered everywhere; the outcome depends on durability and dependencies.</summary>
    Sealed,

    /// <summary>The manager was asked to abort; only its word counts (V3).</summary>
    Aborting,

    /// <summary>The caller has been told.</summary>
    Done,
}

/// <summary>The agent's side of one attempt. The caller's side awaits it.</summary>
internal sealed class AgentTransaction(LocalTransaction transaction) : AgentSide
{
    private const int Refused = 0x80;

    public readonly LocalTransaction Transaction = transaction;

    // With whether it was refused, for the same reason as the distance below.
    private byte _state;

    public AgentState State
    {
        get => (AgentState)(_state & ~Refused);
        set => _state = (byte)((_state & Refused) | (int)value);
    }

    public ushort Round;
    public long Timestamp;
    public ParticipantUse[] Parts = [];

    /// <summary>Who has been asked in this round, and who has ordered it.</summary>
    public RoundParts Answers;
    public bool IsAlone;

    /// <summary>In this round, participants are only asked which timestamp would do.</summary>
    public bool IsAsking;
    public int Manager = -1;

    /// <summary>The epoch in which its manager has served it; 0 while there is none.</summary>
    public long ManagerEpoch => IndexOf(Manager) is >= 0 and var at ? Parts[at].Epoch : 0;

    public bool ReadsOnly;
    public long PreparedAt;

    // As a distance: every transaction has one of these objects,
    // and two times of eight bytes each would cost it eight more.
    private int _touchedAfter;

    /// <summary>When it was last reminded of, or got further, once prepares were out.</summary>
    public long Touched
    {
        get => PreparedAt + _touchedAfter;
        set => _touchedAfter = (int)Math.Clamp(value - PreparedAt, int.MinValue, int.MaxValue);
    }

    public AbortInfo? PendingAbort;

    /// <summary>When nothing was written, so that the agent itself decides.</summary>
    public ReadVotes? Votes;

    /// <summary>Whether it counts among those that run, for who waits to start.</summary>
    public bool IsAdmitted;

    /// <summary>A participant has refused to order it, for good.</summary>
    public bool IsRefused
    {
        get => (_state & Refused) != 0;
        set => _state = (byte)(value ? _state | Refused : _state & ~Refused);
    }

    public bool IsComplete;

    /// <summary>Once complete: <see langword="null"/> when committed, else why not.</summary>
    public AbortInfo? Result;

    /// <summary>What the body threw when it ended.</summary>
    public Exception? Failure;

    /// <summary>Waits for the body while that is not over and did not end at once.</summary>
    public BodyWatch? Watch;

    /// <summary>While it reserves, before its body runs.</summary>
    public Reserving? Reserving => Transaction.Reservations?.Reserving;

    public CancellationToken Cancellation;

    // Live attempts in the order of their numbers; the first is the oldest live one (R1c).
    public AgentTransaction? Older;
    public AgentTransaction? Younger;

    /// <summary>Completes when <see cref="Result"/> is there.</summary>
    public ValueTask Completion => End;

    protected override bool HasEnded => IsComplete;

    /// <summary>Which of <see cref="Parts"/> a partition is; −1 if it is none.</summary>
    public int IndexOf(int partition)
    {
        for (var i = 0; i < Parts.Length; i++)
        {
            if (Parts[i].Partition == partition) return i;
        }

        return -1;
    }

    /// <inheritdoc/>
    public override string Describe() => $"{State}, round {Round}";

    /// <inheritdoc/>
    public override IEnumerable<ParticipantUse> PartsNotOrdered()
    {
        if (State is not (AgentState.Preparing or AgentState.Aborting)) yield break;
        for (var i = 0; i < Parts.Length; i++)
        {
            if (!Answers.HasOrdered(i)) yield return Parts[i];
        }
    }

    /// <summary>
    /// Ends the attempt; <see langword="null"/> when committed, else why not. Only the first word counts.
    /// </summary>
    public void Complete(AbortInfo? abort)
    {
        if (IsComplete) return;
        IsComplete = true;
        Result = abort;
        State = AgentState.Done;
        Watch?.Abandon();
        Reserving?.Stop();
        Ended();
    }
}
