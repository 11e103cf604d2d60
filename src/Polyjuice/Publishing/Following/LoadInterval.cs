using Polyjuice.Contracts;

namespace Polyjuice.Publishing.Following;

/// <summary>Counters of a process's engines at one moment.</summary>
/// <param name="Commits">See <see cref="EngineStatistics.Commits"/>.</param>
/// <param name="Aborts">Attempts that a conflict aborted.</param>
/// <param name="OpenMicroseconds">See <see cref="EngineStatistics.OpenMicroseconds"/>.</param>
internal readonly record struct LoadCounters(long Commits, long Aborts, long OpenMicroseconds)
{
    public static LoadCounters Of(EngineStatistics statistics)
    {
        long aborts = 0;
        for (var reason = 0; reason < statistics.AbortsByReason.Length; reason++)
        {
            if (((AbortReason)reason).IsConflict()) aborts += Volatile.Read(ref statistics.AbortsByReason[reason]);
        }

        return new(Volatile.Read(ref statistics.Commits), aborts, Volatile.Read(ref statistics.OpenMicroseconds));
    }

    /// <summary>
    /// What was counted from an earlier moment to this one; <see langword="null"/> if they are not of the same engines.
    /// </summary>
    public LoadInterval? Since(LoadCounters earlier, TimeSpan elapsed) =>
        elapsed <= TimeSpan.Zero || Commits < earlier.Commits || Aborts < earlier.Aborts
            || OpenMicroseconds < earlier.OpenMicroseconds
            ? null
            : new(
                elapsed.TotalSeconds,
                Commits - earlier.Commits,
                Aborts - earlier.Aborts,
                (OpenMicroseconds - earlier.OpenMicroseconds) / 1e6);
}

/// <summary>What was done in a second or so.</summary>
/// <param name="Seconds">How long it was.</param>
/// <param name="Commits">Transactions committed.</param>
/// <param name="Aborts">Attempts that a conflict aborted.</param>
/// <param name="OpenSeconds">How long transactions were open, summed over them, in seconds.</param>
internal readonly record struct LoadInterval(double Seconds, long Commits, long Aborts, double OpenSeconds)
{
    /// <summary>Committed a second.</summary>
    public double Rate => Commits / Seconds;

    /// <summary>Whether anything was there to be committed.</summary>
    public bool HasWork => Commits > 0 || OpenSeconds > 0;

    /// <summary>Seconds that a transaction is open for each that commits; infinite if none does.</summary>
    public double TimePerCommit => Commits > 0 ? OpenSeconds / Commits : double.PositiveInfinity;
}
