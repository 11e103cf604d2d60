using System.Diagnostics;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Search;

/// <summary>
/// Replays candidates, several at a time, and remembers what they came to. Results do not depend on how many run at a
/// time. With a journal, what an earlier run of the same search has replayed is not replayed again: a search is
/// deterministic, so it comes to where it was.
/// </summary>
/// <param name="evaluator">Judges one table.</param>
/// <param name="objective">What a replay is worth.</param>
/// <param name="space">Whose candidates are judged.</param>
/// <param name="budget">How long.</param>
/// <param name="seed">Of the search; seeds of replays derive from it.</param>
/// <param name="threads">Replays at a time; at least 1.</param>
/// <param name="journal">What is known already, and where more goes; or nothing.</param>
/// <param name="granted">
/// Replays that the budget's time does not end: those of the tables that
/// the search begins with, without which there would be nothing to answer.
/// </param>
/// <param name="cancellationToken">Ends the search with what it has found.</param>
internal sealed class Evaluations(
    ITableEvaluator evaluator, ScoreObjective objective, TableSpace space, SearchBudget budget, ulong seed, int threads,
    SearchJournal? journal, int granted, CancellationToken cancellationToken)
{
    private readonly Dictionary<(ulong Candidate, int Rung), double> _known = [];
    private readonly long _begun = Stopwatch.GetTimestamp();
    private readonly TimeSpan _earlier = journal?.Elapsed ?? TimeSpan.Zero;

    /// <summary>The space that is searched.</summary>
    public TableSpace Space => space;

    /// <summary>Replays so far.</summary>
    public long Count { get; private set; }

    /// <summary>Time so far, earlier runs included.</summary>
    public TimeSpan Elapsed => _earlier + Stopwatch.GetElapsedTime(_begun);

    /// <summary>
    /// When the last of the scores was known that were asked for. What a journal had counts as when it was replayed, so
    /// that a search that goes on says of its way what it said the first time.
    /// </summary>
    public TimeSpan Reached { get; private set; }

    /// <summary>Whether no further replay is to be begun.</summary>
    public bool IsOver =>
        cancellationToken.IsCancellationRequested || Count >= budget.Evaluations
            || (Elapsed >= budget.Time && Count >= granted);

    /// <summary>The score of each candidate with one seed of a ladder that all share: the rung's.</summary>
    /// <param name="candidates">Which.</param>
    /// <param name="rung">From 0.</param>
    /// <exception cref="BudgetOverException">The budget ended before all were replayed.</exception>
    public double[] Scores(IReadOnlyList<Candidate> candidates, int rung)
    {
        var missing = candidates.Where(candidate => !_known.ContainsKey(KeyOf(candidate, rung))).Distinct().ToArray();
        var unknown = new List<Candidate>();
        foreach (var candidate in missing)
        {
            if (journal?.Find(candidate.Hash, rung) is { } score)
            {
                Remember(candidate, rung, score);
                if (journal.EndOf(candidate.Hash, rung) is { } end && end > Reached) Reached = end;
            }
            else
            {
                unknown.Add(candidate);
            }
        }

        // In portions, so that the end of a budget comes soon and finds whole portions.
        for (var from = 0; from < unknown.Count;)
        {
            if (IsOver) throw new BudgetOverException();
            var portion = unknown.GetRange(
                from, (int)Math.Min(Math.Min(threads, unknown.Count - from), budget.Evaluations - Count));
            from += portion.Count;
            var scores = new ReplayScore[portion.Count];
            InParallel.For(
                portion.Count,
                threads,
                i => scores[i] = evaluator.Evaluate(Compile(portion[i]), ReplayPart.Training, SeedOf(rung)));
            Reached = Elapsed;
            for (var i = 0; i < portion.Count; i++)
            {
                Remember(portion[i], rung, objective.Of(scores[i]));
                journal?.Add(portion[i].Hash, rung, objective.Of(scores[i]), Reached);
            }
        }

        return [.. candidates.Select(candidate => _known[KeyOf(candidate, rung)])];
    }

    /// <summary>A candidate's score on a rung, if it was replayed there.</summary>
    public double? Known(Candidate candidate, int rung) =>
        _known.TryGetValue(KeyOf(candidate, rung), out var score) ? score : null;

    private static (ulong, int) KeyOf(Candidate candidate, int rung) => (candidate.Hash, rung);

    private DocumentPolicy Compile(Candidate candidate) => new(space.Decode(candidate, "candidate"));

    private ulong SeedOf(int rung) => SimulationRandom.Mix(seed ^ SimulationRandom.Mix((ulong)rung + 1));

    private void Remember(Candidate candidate, int rung, double score)
    {
        Count++;
        _known.Add(KeyOf(candidate, rung), score);
    }
}
