using Orleans.Runtime;

namespace Polyjuice.Orleans;

/// <summary>Prepares rows for the way back to Orleans' own engine: a service of every silo. Thread-safe.</summary>
public interface IRowDrain
{
    /// <summary>
    /// Activates a grain, waits until all that is undecided in the rows of its transactional states is decided, and
    /// says what is stored there. Callers of transactions must have been stopped before: what comes afterwards is not
    /// in the reports.
    /// </summary>
    /// <param name="grain">Which.</param>
    /// <param name="timeout">How long to wait. More than the response timeout of grain calls has no effect.</param>
    /// <returns>
    /// One report for each of the grain's states that is in a row;
    /// Orleans' own engine can take over those that are drained.
    /// </returns>
    /// <exception cref="Exception">The grain can't be activated.</exception>
    Task<IReadOnlyList<RowReport>> DrainAsync(GrainId grain, TimeSpan timeout);
}
