namespace Polyjuice.Training.Scoring;

/// <summary>
/// What a table made on a cluster, and what replays with the costs that were fitted to it make of it. Immutable.
/// </summary>
/// <param name="Name">The table's name.</param>
/// <param name="CommittedPerSecond">Measured.</param>
/// <param name="ProcessorMicroseconds">Measured, for each committed call.</param>
/// <param name="ReplayedPerSecond">In virtual time.</param>
internal sealed record CalibratedTable(
    string Name, double CommittedPerSecond, double ProcessorMicroseconds, double ReplayedPerSecond)
{
    /// <summary>How far the replay is off, as a share of what was measured.</summary>
    public double Error => CommittedPerSecond > 0 ? (ReplayedPerSecond / CommittedPerSecond) - 1 : 0;
}
