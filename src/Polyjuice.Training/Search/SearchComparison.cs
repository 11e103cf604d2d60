using Polyjuice.Policies;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Search;

/// <summary>
/// Compares searches with equal numbers of replays, over several seeds. What a search believes of its best table is not
/// what counts, because the best of many measurements is in part the luckiest: the table that it would have answered
/// after each iteration is replayed again, on held-out data, with seeds that are the same for all tables and that no
/// search has.
/// </summary>
/// <param name="plan">
/// What is searched and for how long; its search and its journal
/// are not used, and its seed is the first of the searches'.
/// </param>
/// <param name="digest">Of the trace; see <see cref="TraceDigest"/>.</param>
/// <param name="checkpoints">
/// An existing folder that keeps every replay, from which the same comparison goes on; or nothing.
/// </param>
internal sealed class SearchComparison(TrainingPlan plan, string digest, string? checkpoints)
{
    private const ulong MeasureStream = 0xC0439A;

    private readonly Dictionary<Candidate, double> _measured = [];

    /// <summary>Compares them, seed by seed.</summary>
    /// <param name="arms">Which; no two of the same name.</param>
    /// <param name="seeds">How many seeds; at least 1.</param>
    /// <param name="ended">Hears of each search that is whole.</param>
    /// <param name="cancellationToken">Ends it, with the searches that are whole.</param>
    /// <exception cref="Replay.ReplayFailedException">The engine or the replay is broken.</exception>
    /// <exception cref="ArgumentException">A checkpoint is of another comparison.</exception>
    public IReadOnlyList<SearchCurve> Run(
        IReadOnlyList<SearchArm> arms, int seeds, Action<SearchCurve> ended, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(arms);
        ArgumentNullException.ThrowIfNull(ended);
        ArgumentOutOfRangeException.ThrowIfLessThan(seeds, 1);
        var evaluator = new ReplayEvaluator(plan.Workload, plan.Settings);
        var curves = new List<SearchCurve>();
        using var known = Open(plan with { Search = arms[0].Search }, "measurements");
        for (var seed = plan.Seed; seed < plan.Seed + (ulong)seeds; seed++)
        {
            foreach (var arm in arms)
            {
                try
                {
                    var curve = Follow(arm, seed, evaluator, known, cancellationToken);
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

    /// <summary>
    /// What tables are worth that were there before, in the replays that searches' tables are measured by.
    /// </summary>
    /// <param name="tables">Tables that a replay can follow.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public IReadOnlyList<KnownTable> Measure(IReadOnlyList<PolicyDocument> tables, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(tables);
        IPolicyCompiler[] compiled = [.. tables.Select(table => new DocumentPolicy(table))];
        return [.. Trial(new ReplayEvaluator(plan.Workload, plan.Settings), compiled, cancellationToken)
            .Select(trial => new KnownTable(trial.Name, trial.Mean))];
    }

    private SearchCurve Follow(
        SearchArm arm, ulong seed, ReplayEvaluator evaluator, SearchJournal? known, CancellationToken cancellationToken)
    {
        var own = plan with { Search = arm.Search, DerivesStarts = arm.DerivesStarts, Seed = seed };
        using var journal = Open(own, FormattableString.Invariant($"{arm.Name}-{seed}"));
        var run = TableTrainer.Search(own with { Journal = journal }, evaluator, _ => { }, cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();

        // The budget may end within an iteration, or before the first is over.
        List<(long Evaluations, TimeSpan Elapsed, Candidate Best)> bests =
        [
            .. run.Bests.Select(one => (one.Point.Evaluations, one.Point.Elapsed, one.Best)),
            (run.Evaluations, run.Reached, run.Best(1)[0].Candidate),
        ];
        Measure(
            evaluator,
            run.Space,
            [.. bests.Select(best => best.Best).Distinct().Where(best => !_measured.ContainsKey(best))],
            known,
            cancellationToken);
        return new SearchCurve(
            arm.Name, seed,
            [.. bests.Select(best => new SearchCheckpoint(best.Evaluations, _measured[best.Best], best.Elapsed))]);
    }

    private void Measure(
        ReplayEvaluator evaluator, TableSpace space, IReadOnlyList<Candidate> tables, SearchJournal? known,
        CancellationToken cancellationToken)
    {
        foreach (var table in tables)
        {
            if (known?.Find(table.Hash, plan.TrialReplays) is not { } mean)
            {
                IPolicyCompiler[] one = [new DocumentPolicy(space.Decode(table, plan.Name))];
                mean = Trial(evaluator, one, cancellationToken)[0].Mean;
                known?.Add(table.Hash, plan.TrialReplays, mean, TimeSpan.Zero);
            }

            _measured.Add(table, mean);
        }
    }

    private IReadOnlyList<TrialResult> Trial(
        ReplayEvaluator evaluator, IPolicyCompiler[] tables, CancellationToken cancellationToken) =>
        HeldOutTrial.Run(
            evaluator,
            plan.Objective,
            tables,
            plan.Seed ^ MeasureStream,
            plan.TrialReplays,
            plan.Threads,
            cancellationToken);

    private SearchJournal? Open(TrainingPlan own, string name) => SearchJournal.OpenIn(checkpoints, name, own, digest);
}
