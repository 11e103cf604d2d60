namespace Polyjuice.Training.Search;

/// <summary>
/// The default search. Each iteration makes hundreds of candidates from the best tables (<see cref="Moves"/>), has a
/// model guess how they will do (<see cref="ISurrogate"/>: a Gaussian process, or a forest), and replays only the most
/// promising, by upper confidence bound, and a few that nobody would bet on. Those race: after each replay, with seeds
/// that all share, the worse half is out (successive halving; Jamieson and Talwalkar, 2016). Who leads after a race has
/// in part been lucky, and the more races there were the more so; therefore the leader, and who may yet be better, are
/// replayed further (LUCB; Kalyanakrishnan et al., 2012).
/// </summary>
internal sealed class SurrogateSearch : ITableSearch
{
    private const int Elite = 10;
    private const int Made = 240;
    private const int Promising = 12;
    private const int Wild = 4;
    private const int SeenMax = 260;

    /// <summary>
    /// How many standard deviations a guess is taken to be better than expected: much at first, to find out, and less
    /// later. By iterations and not by time, so that a search does not depend on the machine.
    /// </summary>
    private const double FirstBoldness = 1.5;
    private const double LastBoldness = 0.3;
    private const double BoldnessDecay = 0.96;

    /// <summary>Rungs of a race.</summary>
    private const int Rungs = 5;

    /// <summary>How often, after a race, the leader and its rival are taken a rung further.</summary>
    private const int Confirmations = 3;

    /// <summary>Who has been on so many rungs is known well enough.</summary>
    private const int RungsMax = 48;

    /// <summary>Who has fallen so far behind the best is out of a race, however few are left.</summary>
    private const double Behind = 0.9;

    private readonly SurrogateFit _fit;

    /// <summary>The default search, whose model is a Gaussian process.</summary>
    public SurrogateSearch()
        : this(
            "ours", "changes of groups of rows, screened by a Gaussian process, raced with common seeds",
            GaussianProcess.Fit)
    {
    }

    private SurrogateSearch(string name, string description, SurrogateFit fit)
    {
        Name = name;
        Description = description;
        _fit = fit;
    }

    /// <summary>The same search, whose model is a random forest.</summary>
    public static SurrogateSearch WithForest { get; } =
        new("forest", "the same as ours, screened by a random forest", ForestSurrogate.Fit);

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public string Description { get; }

    /// <inheritdoc/>
    void ITableSearch.Search(SearchRun run)
    {
        var moves = new Moves(run.Space, run.Random);
        var starts = run.Starts.Select(start => start.Candidate).Distinct().ToList();
        run.Iterated(Round(run, starts));
        for (var boldness = FirstBoldness; ; boldness = Math.Max(LastBoldness, boldness * BoldnessDecay))
        {
            var field = Screen(run, Make(run, moves), boldness);
            run.Iterated(Round(run, field));
        }
    }

    /// <summary>A race, and what becomes of it.</summary>
    /// <returns>What the tables came to with the first seed.</returns>
    private static IReadOnlyCollection<double> Round(SearchRun run, List<Candidate> field)
    {
        var first = run.Replay(field, 0);
        Race(run, [.. field.Where(candidate => !run.Find(candidate)!.IsTwin)]);
        for (var i = 0; i < Confirmations; i++) Confirm(run);
        return first;
    }

    private static List<Candidate> Make(SearchRun run, Moves moves)
    {
        var elite = run.Best(Elite);
        var made = new HashSet<Candidate>();
        var list = new List<Candidate>();
        for (var tries = 0; tries < Made; tries++)
        {
            // The better the more often: the least of two draws.
            var parent = elite[Math.Min(run.Random.Next(elite.Count), run.Random.Next(elite.Count))].Candidate;
            var mate = run.Random.Chance(0.5)
                ? run.Random.Pick(elite).Candidate
                : run.Random.Pick(run.Starts).Candidate;
            var candidate = moves.Make(parent, mate);
            if (run.Find(candidate) is null && made.Add(candidate)) list.Add(candidate);
        }

        return list;
    }

    private List<Candidate> Screen(SearchRun run, List<Candidate> made, double boldness)
    {
        if (made.Count <= Promising + Wild) return made;

        // The best, and the latest: the model is asked about what lies
        // near the former, and should know what was found out there.
        var seen = run.Best(SeenMax / 2).Concat(run.Standings.Reverse().Take(SeenMax / 2)).Distinct().ToList();
        var surrogate = _fit(run.Space, seen, run.Noise);
        var ranked = made.Select(candidate => (candidate, guess: surrogate.Guess(candidate)))
            .OrderByDescending(one => one.guess.Mean + (boldness * one.guess.Deviation)).Select(one => one.candidate)
            .ToList();
        var field = ranked.Take(Promising).ToList();
        for (var i = 0; i < Wild; i++) field.Add(ranked[Promising + run.Random.Next(ranked.Count - Promising)]);
        return [.. field.Distinct()];
    }

    private static void Race(SearchRun run, List<Candidate> field)
    {
        for (var rung = 1; rung < Rungs && field.Count > 0; rung++)
        {
            var bar = Behind * run.Best(1)[0].Mean;
            field =
            [
                .. field.Where(candidate => run.Find(candidate)!.Mean >= bar)
                .OrderByDescending(candidate => run.Find(candidate)!.Mean).Take(Math.Max(2, (field.Count + 1) / 2))
            ];
            if (field.Count > 0) run.Replay(field, rung);
        }
    }

    /// <summary>
    /// Replays the leader once more, and who may yet be better than it: of those that are through a race, because of
    /// others too little is known to hope for anything.
    /// </summary>
    private static void Confirm(SearchRun run)
    {
        var noise = run.Noise;
        var through = run.Standings.Where(standing => !standing.IsTwin && standing.Depth >= Rungs).ToList();
        if (through.Count < 2) return;
        var leader = through.MaxBy(standing => standing.Mean)!;
        var rival = through.Where(standing => standing != leader).MaxBy(standing => standing.Hoped(noise))!;
        foreach (var standing in (Standing[])[leader, rival])
        {
            if (standing.Depth < RungsMax) run.Replay([standing.Candidate], standing.Depth);
        }
    }
}
