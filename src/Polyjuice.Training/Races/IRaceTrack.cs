using Polyjuice.Policies;

namespace Polyjuice.Training.Races;

/// <summary>Where tables race: a cluster of silos under a load. Used by one caller at a time.</summary>
internal interface IRaceTrack
{
    /// <summary>Puts a table in force, and measures what it makes for a while.</summary>
    /// <param name="table">Which.</param>
    /// <param name="round">
    /// From 1. All tables meet the same choices of clients in a round, as far as that is possible.
    /// </param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>Committed transactions a second, or another figure of which more is better; at least 0.</returns>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    Task<double> MeasureAsync(PolicyDocument table, int round, CancellationToken cancellationToken);
}
