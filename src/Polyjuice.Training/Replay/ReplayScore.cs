using Polyjuice.Agents;

namespace Polyjuice.Training.Replay;

/// <summary>What a replay came to.</summary>
/// <param name="CommittedPerSecond">Transactions committed in a virtual second, while it was measured.</param>
/// <param name="AbortedShare">Attempts that conflicts aborted, of all that ended meanwhile; 0 to 1.</param>
/// <param name="P50Microseconds">Median latency that clients saw, retries included; 0 if nothing committed.</param>
/// <param name="P99Microseconds">The 99th percentile.</param>
/// <param name="Committed">Transactions that were measured.</param>
/// <param name="Failed">Transactions that the engine gave up meanwhile; clients try them again.</param>
/// <param name="VirtualMicroseconds">How long it was measured.</param>
/// <param name="Events">Simulated events from the start to the end.</param>
/// <param name="IsCut">
/// Whether it was cut before its end, by <see cref="ReplaySettings.VirtualMax"/>
/// or <see cref="ReplaySettings.EventsMax"/>.
/// </param>
/// <param name="Digest">Of the whole stream of events: the same table, seed, trace and settings give the same.</param>
internal sealed record ReplayScore(
    double CommittedPerSecond, double AbortedShare, long P50Microseconds, long P99Microseconds, int Committed,
    int Failed, long VirtualMicroseconds, long Events, bool IsCut, ulong Digest)
{
    /// <summary>What silos did for each committed transaction, aborted attempts included.</summary>
    public ReplayWork Work { get; init; }

    /// <summary>What engines counted while it was measured.</summary>
    public LoadCounts Counts { get; init; } = LoadCounts.None;
}
