using System.Globalization;
using Polyjuice.Policies;
using Polyjuice.Training.Conflicts;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;
using Polyjuice.Training.Search;

namespace Polyjuice.Training;

/// <summary>
/// Searches a table for a workload, and judges it: searches on the earlier part of a trace; replays the few best on the
/// later one and takes the best of those; and compares that with every table that was there before, with seeds that
/// nothing was chosen by.
/// </summary>
internal static class TableTrainer
{
    /// <summary>How many of the search's best are tried on held-out data.</summary>
    private const int Finalists = 6;

    /// <summary>The same when somebody waits for the command to end.</summary>
    private const int FinalistsInHaste = 2;

    /// <summary>Streams of seeds that have nothing to do with each other.</summary>
    private const ulong ChoiceStream = 0xC401CE;
    private const ulong VerdictStream = 0x7E4D1C;

    /// <summary>
    /// The tables of a plan that a search can begin with, and that must be beaten: those whose admission a replay can
    /// follow.
    /// </summary>
    /// <param name="plan">The plan.</param>
    public static IReadOnlyList<PolicyDocument> StartsOf(TrainingPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var replayed = plan.Starts.Where(start => plan.Settings.DeclaresAccesses || !Reserves(start)).ToList();
        if (!replayed.Exists(start => start.Name == plan.Parent.Name)) replayed.Add(plan.Parent);
        return replayed;
    }

    /// <summary>
    /// The tables that a race on a cluster compares with what a plan's search has found: all of its starts, and the
    /// table in force, which may be a file.
    /// </summary>
    /// <param name="plan">The plan.</param>
    public static IReadOnlyList<PolicyDocument> RivalsOf(TrainingPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return plan.Starts.Any(start => start.Name == plan.Parent.Name) ? plan.Starts : [.. plan.Starts, plan.Parent];
    }

    /// <summary>
    /// The tables that a plan's search begins with besides; a table that beats those of <see cref="StartsOf"/> need not
    /// beat these.
    /// </summary>
    /// <param name="plan">The plan.</param>
    public static IReadOnlyList<PolicyDocument> DerivedOf(TrainingPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return plan.DerivesStarts ? DerivedTables.Of(plan.Workload, plan.Settings.Clients) : [];
    }

    /// <summary>
    /// A table with a row for every site of a plan's workload, whether a rule gives it or a file says it.
    /// </summary>
    /// <param name="plan">The plan.</param>
    /// <param name="document">The table.</param>
    public static PolicyDocument SpellOut(TrainingPlan plan, PolicyDocument document)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return new DocumentPolicy(document).Materialize(plan.Workload.CreateRegistry());
    }

    /// <summary>Trains.</summary>
    /// <param name="plan">What to do.</param>
    /// <param name="report">Hears after each iteration of the search, on the calling thread.</param>
    /// <param name="cancellationToken">Ends the search; what it has found by then is judged.</param>
    /// <exception cref="ReplayFailedException">The engine or the replay is broken.</exception>
    /// <exception cref="OperationCanceledException">It was ended before anything was replayed.</exception>
    public static TrainingResult Run(TrainingPlan plan, Action<SearchPoint> report, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(report);
        var evaluator = new ReplayEvaluator(plan.Workload, plan.Settings);
        var run = Search(plan, evaluator, report, cancellationToken);
        return Judge(plan, run, evaluator, cancellationToken.IsCancellationRequested);
    }

    /// <summary>Chooses among a search's best tables, and compares the chosen one with those that were there.</summary>
    /// <param name="plan">What was searched.</param>
    /// <param name="run">The search, which is over.</param>
    /// <param name="evaluator">Replays one.</param>
    /// <param name="wasEnded">
    /// Somebody has ended the search, waits, and not for ever: fewer
    /// replays, and as strict a verdict, whose standard error they raise.
    /// </param>
    internal static TrainingResult Judge(TrainingPlan plan, SearchRun run, ITableEvaluator evaluator, bool wasEnded)
    {
        var space = run.Space;
        var replays = wasEnded ? Math.Max(2, plan.TrialReplays / 2) : plan.TrialReplays;

        // The best of those that it began with as well: then what is answered is no worse, however lucky others were.
        var began = run.Starts.Select(start => run.Find(start.Candidate)).OfType<Standing>()
            .MaxBy(standing => standing.Trusted(run.Noise));
        Candidate[] candidates =
        [
            .. run.Best(wasEnded ? FinalistsInHaste : Finalists).Append(began).OfType<Standing>()
                .Select(static standing => standing.Candidate).Distinct(),
        ];
        var chosen = HeldOutChoice.Of(
            evaluator,
            plan.Objective,
            [.. candidates.Select(candidate => space.Decode(candidate, plan.Name))],
            plan.Seed ^ ChoiceStream,
            replays,
            plan.Threads,
            CancellationToken.None);
        IPolicyCompiler[] judged =
        [
            new DocumentPolicy(chosen), .. StartsOf(plan).Select(start => new DocumentPolicy(start))
        ];
        var verdict = HeldOutTrial.Run(
            evaluator,
            plan.Objective,
            judged,
            plan.Seed ^ VerdictStream,
            replays,
            plan.Threads,
            CancellationToken.None);
        return new TrainingResult(
            chosen, verdict[0], [.. verdict.Skip(1)], run.Points, run.Evaluations, run.Elapsed, wasEnded)
        {
            Finalists = FinalistsOf(plan, run, candidates),
            Starts = run.StartsReplayed,
        };
    }

    // What was there already races anyway; derived tables were not, and do not.
    private static IReadOnlyList<PolicyDocument> FinalistsOf(
        TrainingPlan plan, SearchRun run, IReadOnlyList<Candidate> candidates)
    {
        var there = StartsOf(plan).Select(run.Space.Encode).ToHashSet();
        var found = candidates.Where(candidate => !there.Contains(candidate));
        return [.. found.Select((candidate, i) =>
            run.Space.Decode(candidate, string.Create(CultureInfo.InvariantCulture, $"{plan.Name}-{i + 1}")))];
    }

    /// <summary>Runs a plan's search until its budget is used up or somebody ends it.</summary>
    /// <exception cref="OperationCanceledException">It was ended before anything was replayed.</exception>
    internal static SearchRun Search(
        TrainingPlan plan, ITableEvaluator evaluator, Action<SearchPoint> report, CancellationToken cancellationToken)
    {
        PolicyDocument[] starts = [.. StartsOf(plan), .. DerivedOf(plan)];
        var space = new TableSpace(plan.Workload, plan.Parent, starts);
        (string Name, Candidate Candidate)[] candidates =
        [
            .. starts.Select(start => (start.Name, space.Encode(start)))
        ];
        var granted = candidates.Select(static start => start.Candidate).Distinct().Count();
        var evaluations = new Evaluations(
            evaluator, plan.Objective, space, plan.Budget, plan.Seed, plan.Threads, plan.Journal, granted,
            cancellationToken);
        var run = new SearchRun(evaluations, candidates, plan.Seed, report);
        try
        {
            plan.Search.Search(run);
        }
        catch (BudgetOverException)
        {
            if (run.Standings.Count == 0)
                throw new OperationCanceledException(
                    "The training was ended before the first table was replayed.", cancellationToken);
        }

        return run;
    }

    /// <summary>
    /// Whether a table lets any type in otherwise than at once, which a replay can follow only if transactions declare
    /// what they access (<see cref="ReplaySettings.DeclaresAccesses"/>).
    /// </summary>
    /// <param name="document">The table.</param>
    public static bool Reserves(PolicyDocument document) =>
        document.Admission is not (null or PolicyAdmission.Run)
            || document.Types.Any(type => type.Admission is not (null or PolicyAdmission.Run));
}
