using Polyjuice.Tracing;

namespace Polyjuice.Training.Traces;

/// <summary>One access as a silo has recorded it; names are by the numbers of the merged trace.</summary>
internal readonly record struct RecordedAccess(
    long Agent, long Sequence, long Time, int Site, int Participant, int Number, AccessEventFlags Flags,
    byte Generation) : IComparable<RecordedAccess>
{
    /// <summary>Attempt by attempt, and within one in the order in which they were made.</summary>
    public int CompareTo(RecordedAccess other)
    {
        var by = Agent.CompareTo(other.Agent);
        if (by == 0) by = Sequence.CompareTo(other.Sequence);
        if (by == 0) by = Number.CompareTo(other.Number);
        if (by == 0) by = Time.CompareTo(other.Time);
        if (by == 0) by = Participant.CompareTo(other.Participant);
        return by != 0 ? by : Site.CompareTo(other.Site);
    }
}

/// <summary>
/// The last attempt at a transaction as its agent has recorded it; its call by the number in
/// <see cref="RecordedTrace.Calls"/>, or -1.
/// </summary>
internal readonly record struct RecordedAttempt(
    long Agent, long Sequence, long Arrival, long Start, long End, int Type, int Attempt, int Accesses, byte Outcome,
    AttemptEventFlags Flags, byte Generation, int Silo, int Call) : IComparable<RecordedAttempt>
{
    public int CompareTo(RecordedAttempt other)
    {
        var by = Agent.CompareTo(other.Agent);
        return by != 0 ? by : Sequence.CompareTo(other.Sequence);
    }
}

/// <summary>A time of which a silo has recorded everything.</summary>
internal readonly record struct RecordedSpan(long From, long Until);
