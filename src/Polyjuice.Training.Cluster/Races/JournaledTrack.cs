using Polyjuice.Policies;
using Polyjuice.Training.Races;

namespace Polyjuice.Training.Cluster.Races;

/// <summary>A track that keeps what it has measured, and does not measure again what an earlier run has.</summary>
/// <param name="track">Measures.</param>
/// <param name="journal">Keeps it.</param>
internal sealed class JournaledTrack(IRaceTrack track, RaceJournal journal) : IRaceTrack
{
    /// <inheritdoc/>
    public async Task<double> MeasureAsync(PolicyDocument table, int round, CancellationToken cancellationToken)
    {
        if (journal.Find(round, table) is { } known) return known;
        var rate = await track.MeasureAsync(table, round, cancellationToken).ConfigureAwait(false);
        journal.Add(round, table, rate);
        return rate;
    }
}
