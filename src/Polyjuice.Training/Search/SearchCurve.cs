namespace Polyjuice.Training.Search;

/// <summary>
/// What one search with one seed had to offer as it went on, measured by replays that it did not see.
/// </summary>
/// <param name="Search">The search's name.</param>
/// <param name="Seed">Of the search.</param>
/// <param name="Checkpoints">In order; at least one, after the tables that it began with.</param>
internal sealed record SearchCurve(string Search, ulong Seed, IReadOnlyList<SearchCheckpoint> Checkpoints)
{
    /// <summary>What its best table was worth at the end.</summary>
    public double Final => Checkpoints[^1].Score;

    /// <summary>
    /// What its best table was worth after so many replays; that of the first checkpoint before there was one.
    /// </summary>
    /// <param name="evaluations">Replays of the search.</param>
    public double At(long evaluations)
    {
        var score = Checkpoints[0].Score;
        foreach (var checkpoint in Checkpoints)
        {
            if (checkpoint.Evaluations > evaluations) break;
            score = checkpoint.Score;
        }

        return score;
    }

    /// <summary>When it first had a table that is worth so much; <see langword="null"/> if never.</summary>
    /// <param name="score">Commits a virtual second.</param>
    public SearchCheckpoint? FirstReaching(double score)
    {
        foreach (var checkpoint in Checkpoints)
        {
            if (checkpoint.Score >= score) return checkpoint;
        }

        return null;
    }

    /// <summary>The mean of several curves of one search.</summary>
    /// <param name="curves">At least one.</param>
    /// <exception cref="ArgumentException">There is none.</exception>
    public static SearchCurve MeanOf(IReadOnlyList<SearchCurve> curves)
    {
        ArgumentNullException.ThrowIfNull(curves);
        if (curves.Count == 0) throw new ArgumentException("The mean of no curves.", nameof(curves));

        // From where all have something to offer.
        var from = curves.Max(curve => curve.Checkpoints[0].Evaluations);
        var places = curves.SelectMany(curve => curve.Checkpoints).Select(checkpoint => checkpoint.Evaluations)
            .Where(evaluations => evaluations >= from).Distinct().Order();
        return new SearchCurve(
            curves[0].Search,
            0,
            [
                .. places.Select(
                    evaluations => new SearchCheckpoint(evaluations, curves.Average(curve => curve.At(evaluations))))
            ]);
    }
}

/// <summary>The best table that a search knew at one time.</summary>
/// <param name="Evaluations">Replays of the search by then.</param>
/// <param name="Score">
/// What the table is worth in replays with other seeds, of transactions that the search has not seen.
/// </param>
/// <param name="Elapsed">How long the search had taken by then; 0 in a mean of curves.</param>
internal readonly record struct SearchCheckpoint(long Evaluations, double Score, TimeSpan Elapsed = default);
