namespace Polyjuice.Training.Search;

/// <summary>A candidate that was replayed, and how it did beside others with the same seeds.</summary>
/// <param name="candidate">Which.</param>
internal sealed class Standing(Candidate candidate)
{
    private readonly List<(int Rung, double Score)> _scores = [];
    private double[] _worths = [];

    public Candidate Candidate => candidate;

    /// <summary>
    /// What it came to on each rung of the ladder of seeds that it has been on: the first few, or some of them.
    /// </summary>
    public IReadOnlyList<(int Rung, double Score)> Scores => _scores;

    /// <summary>On how many rungs it has been.</summary>
    public int Depth => _scores.Count;

    /// <summary>
    /// The mean of its scores, each divided by the level of its rung, on
    /// which the reference's mean is 1; see <see cref="RungLevels"/>.
    /// </summary>
    public double Mean { get; private set; }

    /// <summary>
    /// Whether a table that was there before came to exactly the same with the first seed: transactions did not meet
    /// the cells in which the two differ, and replays of both are of no more use than of one.
    /// </summary>
    public bool IsTwin { get; init; }

    /// <summary>
    /// The mean less what chance may have given: what a table is trusted to be worth. By it a table that was lucky once
    /// does not stand before one that was good often.
    /// </summary>
    /// <param name="noise">The standard deviation of one score.</param>
    public double Trusted(double noise) => Mean - (noise / Math.Sqrt(Depth));

    /// <summary>The mean and what chance may have taken: what a table may yet be worth.</summary>
    /// <param name="noise">The standard deviation of one score.</param>
    public double Hoped(double noise) => Mean + (noise / Math.Sqrt(Depth));

    /// <summary>The sum of squared deviations from the mean, and how many degrees of freedom it has.</summary>
    public (double Squares, int Freedom) Spread => (_worths.Sum(worth => (worth - Mean) * (worth - Mean)), Depth - 1);

    public void Add(int rung, double score) => _scores.Add((rung, score));

    /// <summary>Judges its scores by levels.</summary>
    public void Judge(RungLevels levels)
    {
        _worths = [.. _scores.Select(one => one.Score / levels[one.Rung])];
        Mean = _worths.Average();
    }
}
