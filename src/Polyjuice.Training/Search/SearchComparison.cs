using Polyjuice.Policies;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Search;

/// <summary>
/// Compares searches with equal numbers of replays, over several seeds. What a search believes of its best table is not what counts, because the best of many measurements is in part the luckiest: the table that it would have answered after
/// each iteration is replayed again, on held-out data, with seeds that are the same for all tables and that no search has.
/// </summary>
/// <param name="plan">What is searched and for how long; its search and its journal are not used, and its seed is the first of the searches'.</param>
/// <param name="digest">Of the trace; see <see cref="TraceDigest"/>.</param>
/// <param name="checkpoints">An existing folder that keeps every replay, from which the same comparison goes on; or nothing.</param>
public sealed class SearchComparison(TrainingPlan plan, string digest, string? checkpoints)
{
    private const ulong MeasureStream = 0xC0439A;

    private readonly Dictionary<Candidate, double> _measured = [];

    /// <summary>Compares them, seed by seed.</summary>
    /// <param name="searches">Which.</param>
    /// <param name="seeds">How many seeds; at least 1.</param>
    /// <param name="ended">Hears of each search that is whole.</param>
    /// <param name="cancellationToken">Ends it, with the searches that are whole.</param>
    /// <exception cref="Replay.ReplayFailedException">The engine or the replay is broken.</exception>
    /// <exception cref="ArgumentException">A checkpoint is of another comparison.</exception>
    public IReadOnlyList<SearchCurve> Run(IReadOnlyList<ITableSearch> searches, int seeds, Action<SearchCurve> ended, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(searches);
        ArgumentNullException.ThrowIfNull(ended);
        ArgumentOutOfRangeException.ThrowIfLessThan(seeds, 1);
        var evaluator = new ReplayEvaluator(plan.Workload, plan.Settings);
        var curves = new List<SearchCurve>();
        using var known = Open(plan with { Search = searches[0] }, "measurements");
        for (var seed = plan.Seed; seed < plan.Seed + (ulong)seeds; seed++)
        {
            foreach (var search in searches)
            {
                try
                {
                    var curve = Follow(plan with { Search = search, Seed = seed }, evaluator, known, cancellationToken);
                    curves.Add(curve);
                    ended(curve);
                }
                catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
                {
                    return curves;
                }
            }
        }

        return curves;
    }

    private SearchCurve Follow(TrainingPlan own, ReplayEvaluator evaluator, SearchJournal? known, CancellationToken cancellationToken)
    {
        using var journal = Open(own, FormattableString.Invariant($"{own.Search.Name}-{own.Seed}"));
        var run = TableTrainer.Search(own with { Journal = journal }, evaluator, _ => { }, cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();

        // The budget may end within an iteration, or before the first is over.
        List<(long Evaluations, Candidate Best)> bests = [.. run.Bests, (run.Evaluations, run.Best(1)[0].Candidate)];
        Measure(evaluator, run.Space, [.. bests.Select(best => best.Best).Distinct().Where(best => !_measured.ContainsKey(best))], known, cancellationToken);
        return new SearchCurve(own.Search.Name, own.Seed, [.. bests.Select(best => new SearchCheckpoint(best.Evaluations, _measured[best.Best]))]);
    }

    private void Measure(ReplayEvaluator evaluator, TableSpace space, IReadOnlyList<Candidate> tables, SearchJournal? known, CancellationToken cancellationToken)
    {
        foreach (var table in tables)
        {
            if (known?.Find(table.Hash, plan.TrialReplays) is not { } mean)
            {
                IPolicyCompiler[] one = [new DocumentPolicy(space.Decode(table, plan.Name))];
                mean = HeldOutTrial.Run(evaluator, plan.Objective, one, plan.Seed ^ MeasureStream, plan.TrialReplays, plan.Threads, cancellationToken)[0].Mean;
                known?.Add(table.Hash, plan.TrialReplays, mean, TimeSpan.Zero);
            }

            _measured.Add(table, mean);
        }
    }

    private SearchJournal? Open(TrainingPlan own, string name) => SearchJournal.OpenIn(checkpoints, name, own, digest);
}
