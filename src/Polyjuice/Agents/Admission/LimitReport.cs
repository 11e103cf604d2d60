namespace Polyjuice.Agents;

/// <summary>What one silo tells the one that finds out the limit for all.</summary>
/// <param name="Commits">
/// Attempts of contended types that have ended there without a conflict, since it began to count.
/// </param>
/// <param name="Conflicts">Attempts that a conflict has aborted, since then.</param>
/// <param name="Running">How many run there now.</param>
/// <param name="Peak">The most that ran there at a time since the report before.</param>
/// <param name="IsBinding">Whether one was held back since then.</param>
/// <param name="BeginsAnew">Whether another table has come into force there since then.</param>
internal readonly record struct LimitReport(
    long Commits, long Conflicts, int Running, int Peak, bool IsBinding, bool BeginsAnew = false);
