using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Scoring;

/// <summary>How a table did in a trial.</summary>
/// <param name="Name">The table's.</param>
/// <param name="Scores">What each replay was worth, in the order of the seeds.</param>
/// <param name="Replays">The replays.</param>
internal sealed record TrialResult(string Name, IReadOnlyList<double> Scores, IReadOnlyList<ReplayScore> Replays)
{
    /// <summary>The mean of the scores.</summary>
    public double Mean => Scores.Average();

    /// <summary>The least.</summary>
    public double Least => Scores.Min();

    /// <summary>The most.</summary>
    public double Most => Scores.Max();

    /// <summary>
    /// How much more than another table it makes, seed by seed: the
    /// mean of the ratios less one, and the standard error of that.
    /// </summary>
    /// <param name="other">With the same seeds.</param>
    public (double Gain, double Error) Over(TrialResult other)
    {
        ArgumentNullException.ThrowIfNull(other);
        var ratios = Scores.Zip(other.Scores, (own, theirs) => own / Math.Max(theirs, 1e-9)).ToArray();
        var mean = ratios.Average();
        var variance = ratios.Length > 1
            ? ratios.Sum(ratio => (ratio - mean) * (ratio - mean)) / (ratios.Length - 1)
            : 0;
        return (mean - 1, Math.Sqrt(variance / ratios.Length));
    }

    /// <summary>Whether it is better beyond what chance may have done: by more than two standard errors.</summary>
    public bool Beats(TrialResult other) => Over(other) is var (gain, error) && gain > 2 * error && gain > 0;
}
