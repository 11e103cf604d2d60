using System.Globalization;
using Polyjuice.Policies;
using Polyjuice.Training.Cluster.Calls;
using Polyjuice.Training.Races;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Cluster.Races;

/// <summary>
/// Tables race by recorded calls: each measurement is on a fresh cluster with the table in force from the start, from
/// the states that the calls met, so that nothing of one measurement is left in the next. Used by one caller at a time.
/// </summary>
/// <param name="measure">Measures.</param>
/// <param name="windows">
/// The held-out calls and their states; round r takes number r, and begins again behind the last.
/// </param>
/// <param name="options">How long is measured.</param>
/// <param name="objective">What is made of a measurement.</param>
internal sealed class CallTrack(
    CallMeasure measure, IReadOnlyList<PreparedCalls> windows, ClusterOptions options, ScoreObjective objective)
    : IRaceTrack
{
    /// <summary>Hears of every measurement.</summary>
    public Action<CallSample> Measured { get; init; } = static _ => { };

    /// <inheritdoc/>
    /// <exception cref="ClusterFailedException">The cluster did not start, or did not last.</exception>
    public async Task<double> MeasureAsync(PolicyDocument table, int round, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(table);
        var calls = windows[(round - 1) % windows.Count];
        var purpose = string.Create(CultureInfo.InvariantCulture, $"round {round} of the race");
        var sample = await measure.RunAsync(table, calls, options.Warmup, options.Interval, purpose, cancellationToken)
            .ConfigureAwait(false);
        Measured(sample);
        return objective.Of(sample.CommittedPerSecond, (long)sample.P99.TotalMicroseconds);
    }
}
