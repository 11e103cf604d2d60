using Polyjuice.Simulation.Events;

namespace Polyjuice.Training.Search;

/// <summary>
/// One search under way: what it has replayed, how that stands, and what it reports. Not thread-safe.
/// </summary>
internal sealed class SearchRun
{
    /// <summary>
    /// What one replay may be off, in shares of the reference's worth, before anything is known of it.
    /// </summary>
    private const double NoiseGuess = 0.03;
    private const int NoiseGuessWeight = 10;

    private readonly Evaluations _evaluations;
    private readonly Action<SearchPoint> _report;
    private readonly Dictionary<Candidate, Standing> _standings = [];
    private readonly HashSet<(Candidate, int)> _counted = [];

    /// <summary>
    /// Scores with the first seed. Virtual time is counted in microseconds, so
    /// two that are the same are so by the same events and hardly ever by chance.
    /// </summary>
    private readonly HashSet<double> _firstScores = [];
    private readonly List<SearchPoint> _points = [];
    private readonly List<(SearchPoint Point, Candidate Best)> _bests = [];
    private int _iteration;

    /// <summary>A search that begins with some tables.</summary>
    /// <param name="evaluations">What judges.</param>
    /// <param name="starts">At least one; the first is the reference.</param>
    /// <param name="seed">Of what the search draws.</param>
    /// <param name="report">Hears after each iteration.</param>
    public SearchRun(
        Evaluations evaluations, IReadOnlyList<(string Name, Candidate Candidate)> starts, ulong seed,
        Action<SearchPoint> report)
    {
        _evaluations = evaluations;
        _report = report;
        Starts = starts;
        Random = new SimulationRandom(SimulationRandom.Mix(seed ^ 0x5EA2C4));
        Reference = starts[0].Candidate;
    }

    public TableSpace Space => _evaluations.Space;

    public SimulationRandom Random { get; }

    /// <summary>The tables that it begins with.</summary>
    public IReadOnlyList<(string Name, Candidate Candidate)> Starts { get; }

    /// <summary>What scores are divided by, seed by seed.</summary>
    public Candidate Reference { get; }

    public IReadOnlyList<SearchPoint> Points => _points;

    /// <summary>What it would have answered after each iteration, and what that had taken.</summary>
    public IReadOnlyList<(SearchPoint Point, Candidate Best)> Bests => _bests;

    /// <summary>Replays so far.</summary>
    public long Evaluations => _evaluations.Count;

    /// <summary>Time so far, earlier runs of a resumed search included.</summary>
    public TimeSpan Elapsed => _evaluations.Elapsed;

    /// <summary>When the last replay ended.</summary>
    public TimeSpan Reached => _evaluations.Reached;

    /// <summary>All that were replayed, in the order in which they were first.</summary>
    public IReadOnlyCollection<Standing> Standings => _standings.Values;

    /// <summary>
    /// The standard deviation of one score, in shares of the
    /// reference's worth, by those that were replayed several times.
    /// </summary>
    public double Noise
    {
        get
        {
            var squares = NoiseGuess * NoiseGuess * NoiseGuessWeight;
            var freedom = NoiseGuessWeight;
            foreach (var standing in _standings.Values)
            {
                var (more, by) = standing.Spread;
                squares += more;
                freedom += by;
            }

            return Math.Sqrt(squares / freedom);
        }
    }

    /// <summary>Replays candidates with the seed of a rung.</summary>
    /// <returns>Their scores, each divided by the reference's.</returns>
    /// <exception cref="BudgetOverException">The budget is used up.</exception>
    public double[] Replay(IReadOnlyList<Candidate> candidates, int rung)
    {
        Candidate[] all = [Reference, .. candidates];
        double[] scores;
        try
        {
            scores = _evaluations.Scores(all, rung);
        }
        finally
        {
            // What was replayed before the budget ended counts as well.
            CountKnown(all, rung);
        }

        return [.. scores.Skip(1).Select(score => score / Math.Max(scores[0], 1e-9))];
    }

    /// <summary>How a candidate stands, if it was replayed.</summary>
    public Standing? Find(Candidate candidate) => _standings.GetValueOrDefault(candidate);

    /// <summary>The best, most trusted first; of several that do the same, one.</summary>
    /// <param name="count">At most so many.</param>
    public IReadOnlyList<Standing> Best(int count)
    {
        var noise = Noise;
        return [
            .. _standings.Values.Where(standing => !standing.IsTwin)
            .OrderByDescending(standing => standing.Trusted(noise)).Take(count)
        ];
    }

    /// <summary>
    /// How the tables did that it began with, the best first; of those that are one and the same, each by its name. Not
    /// those that the budget left out.
    /// </summary>
    public IReadOnlyList<StartScore> StartsReplayed
    {
        get
        {
            var unit = Unit;
            return
            [
                .. Starts.Select(start => (start.Name, Standing: Find(start.Candidate)))
                    .Where(static start => start.Standing is not null)
                    .Select(start => new StartScore(start.Name, start.Standing!.Mean * unit, start.Standing.Depth))
                    .OrderByDescending(static start => start.Score),
            ];
        }
    }

    /// <summary>The reference's mean score, which is what a worth of 1 stands for.</summary>
    private double Unit => Enumerable.Range(0, int.MaxValue).Select(rung => _evaluations.Known(Reference, rung))
        .TakeWhile(static score => score is not null).Average(static score => score!.Value);

    /// <summary>An iteration is over.</summary>
    /// <param name="ratios">What its tables came to.</param>
    public void Iterated(IReadOnlyCollection<double> ratios)
    {
        var unit = Unit;
        var best = Best(1)[0];
        var point = new SearchPoint(
            _iteration++, _evaluations.Count, Reached, best.Mean * unit, ratios.Average() * unit);
        _points.Add(point);
        _bests.Add((point, best.Candidate));
        _report(point);
    }

    private void CountKnown(Candidate[] candidates, int rung)
    {
        // All others are measured by the reference, which is replayed first.
        if (_evaluations.Known(Reference, rung) is null) return;
        foreach (var candidate in candidates)
        {
            if (_evaluations.Known(candidate, rung) is { } score) Count(candidate, rung, score);
        }

        var levels = RungLevels.Of(_standings.Values, _standings[Reference]);
        foreach (var standing in _standings.Values) standing.Judge(levels);
    }

    private void Count(Candidate candidate, int rung, double score)
    {
        if (!_counted.Add((candidate, rung))) return;
        var isTwin = rung == 0 && !_firstScores.Add(score);
        if (!_standings.TryGetValue(candidate, out var standing))
            _standings.Add(candidate, standing = new Standing(candidate) { IsTwin = isTwin });
        standing.Add(rung, score);
    }
}
