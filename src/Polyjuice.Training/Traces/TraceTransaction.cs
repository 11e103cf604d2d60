using Polyjuice.Agents;
using Polyjuice.Contracts;

namespace Polyjuice.Training.Traces;

/// <summary>One transaction, from its arrival to its end.</summary>
/// <param name="Type">The number of its type in <see cref="AccessTrace.Types"/>.</param>
/// <param name="ArrivalMicroseconds">When its first attempt began, since the trace's start.</param>
/// <param name="DurationMicroseconds">From its arrival until its caller was told, back-off included.</param>
/// <param name="LastAttemptMicroseconds">
/// When its last attempt began, since its arrival; 0 if that was the first.
/// </param>
/// <param name="Silo">
/// The number of its agent's silo in <see cref="AccessTrace.Silos"/>; a client that started it counts as one.
/// </param>
/// <param name="Attempts">How often it was tried, from 1.</param>
/// <param name="Outcome">
/// How it ended: <see cref="AbortReason.None"/> for committed; otherwise why it was given up after the last attempt.
/// </param>
/// <param name="IsReadOnly">Whether it was declared to read only.</param>
/// <param name="FirstAccess">Where its accesses begin; see <see cref="AccessTrace.AccessesOf"/>.</param>
/// <param name="AccessCount">How many accesses its last attempt made; 0 if it ended before the first.</param>
internal readonly record struct TraceTransaction(
    int Type,
    long ArrivalMicroseconds,
    long DurationMicroseconds,
    long LastAttemptMicroseconds,
    int Silo,
    int Attempts,
    AbortReason Outcome,
    bool IsReadOnly,
    int FirstAccess,
    int AccessCount)
{
    /// <summary>Whether it committed.</summary>
    public bool IsCommitted => Outcome == AbortReason.None;
}
