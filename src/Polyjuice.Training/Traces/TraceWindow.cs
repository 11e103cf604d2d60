namespace Polyjuice.Training.Traces;

/// <summary>A time that was recorded whole, by all silos of a trace.</summary>
/// <param name="StartMicroseconds">Since the trace's start.</param>
/// <param name="EndMicroseconds">Since the trace's start; not part of it.</param>
internal readonly record struct TraceWindow(long StartMicroseconds, long EndMicroseconds)
{
    /// <summary>How long it is.</summary>
    public long LengthMicroseconds => EndMicroseconds - StartMicroseconds;

    /// <summary>Whether a time lies within it.</summary>
    public bool Contains(long microseconds) => microseconds >= StartMicroseconds && microseconds < EndMicroseconds;
}

/// <summary>
/// What a trace lacks although it happened while it was recorded. What lies between windows by intent is no loss.
/// </summary>
/// <param name="Windows">
/// Windows, or ends of windows, that some silo had to drop because what writes the trace did not keep up.
/// </param>
/// <param name="Records">Records of attempts and accesses in them.</param>
/// <param name="Transactions">
/// Transactions that arrived and ended within a window, and of which an access is missing, so that they were left out.
/// Those that had not ended when the window did are not known of.
/// </param>
internal readonly record struct TraceLosses(long Windows, long Records, long Transactions);
