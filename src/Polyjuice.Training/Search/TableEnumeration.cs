using System.Globalization;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Scoring;

namespace Polyjuice.Training.Search;

/// <summary>
/// Replays every table of a workload's reduced space, to know what a search could have found. All are replayed briefly
/// once; the best sixteenth three more times; the best of those at full length, with more seeds. So the best few are
/// what remains, and one that was unlucky in the first replay may be lost: it would have to be worth much more than its
/// neighbours and fall behind fifteen sixteenths of all tables.
/// </summary>
internal sealed class TableEnumeration
{
    /// <summary>More tables than that take days.</summary>
    public const long TablesMax = 100_000;

    /// <summary>Replays between two reports, and the most that giving up loses.</summary>
    private const int Portion = 64;

    private const int FirstShare = 16;
    private const int BriefReplays = 4;
    private const int LongMax = 64;
    private const int LongReplays = 4;
    private const ulong Stream = 0xE9BA7E;

    /// <summary>
    /// A brief replay is cut when it has taken so many times as long as the
    /// parent's: of hopeless tables one need not know how hopeless they are.
    /// </summary>
    private const double Patience = 2;

    private readonly TrainingPlan _plan;
    private readonly ReplaySettings _brief;
    private readonly TableSpace _space;
    private readonly ReducedSpace _reduced;
    private readonly Dictionary<(Candidate Table, int Rung), double> _known = [];

    /// <summary>The tables of a plan's workload.</summary>
    /// <param name="plan">
    /// What is replayed; its search and budget are not used. Backoffs are those of its parent.
    /// </param>
    /// <param name="brief">The replays that all tables get; shorter than the plan's.</param>
    /// <exception cref="ArgumentException">There are more than <see cref="TablesMax"/>.</exception>
    public TableEnumeration(TrainingPlan plan, ReplaySettings brief)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(brief);
        (_plan, _brief) = (plan, brief);
        _space = new TableSpace(plan.Workload, plan.Parent, TableTrainer.StartsOf(plan));
        _reduced = new ReducedSpace(_space, _space.Encode(plan.Parent));
        if (_reduced.Count > TablesMax)
            throw new ArgumentException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"There are {_reduced.Count:n0} tables for {plan.Workload.ContendingTypes.Count} types, and at "
                    + $"most {TablesMax:n0} can be tried. Enumerate a workload of one type with two sites, like "
                    + $"multitransfer."),
                nameof(plan));
    }

    /// <summary>How many tables there are.</summary>
    public long Count => _reduced.Count;

    /// <summary>Replays them.</summary>
    /// <param name="count">How many of the best; at least 1.</param>
    /// <param name="report">Hears how many replays are done of how many, at the least.</param>
    /// <param name="cancellationToken">Gives up; a journal keeps what was replayed.</param>
    /// <returns>The best, the best first.</returns>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    /// <exception cref="ReplayFailedException">The engine or the replay is broken.</exception>
    public IReadOnlyList<PolicyDocument> Best(int count, Action<long, long> report, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        ArgumentNullException.ThrowIfNull(report);
        var all = Enumerable.Range(0, (int)_reduced.Count).Select(number => _reduced[number]).ToList();
        var brief = new ReplayEvaluator(_plan.Workload, _brief with { VirtualMax = PatienceWith(_brief) });
        var wanted = Math.Max(count, (all.Count + FirstShare - 1) / FirstShare);
        long done = 0, total = all.Count + ((long)wanted * (BriefReplays - 1));
        var field = Top(all, Means(all, brief, 0, 1), wanted);
        field = Top(field, Means(field, brief, 0, BriefReplays), Math.Max(count, LongMax));
        return [
            .. Top(
                field,
                Means(field, new ReplayEvaluator(_plan.Workload, _plan.Settings), BriefReplays, LongReplays),
                count)
            .Select(candidate => _space.Decode(candidate, _plan.Name))
        ];

        double[] Means(List<Candidate> tables, ReplayEvaluator evaluator, int firstRung, int rungs)
        {
            var means = new double[tables.Count];
            for (var from = 0; from < tables.Count; from += Portion)
            {
                var portion = tables.GetRange(from, Math.Min(Portion, tables.Count - from));
                for (var rung = firstRung; rung < firstRung + rungs; rung++)
                {
                    done += Replay(portion, rung, evaluator, cancellationToken);
                    for (var i = 0; i < portion.Count; i++) means[from + i] += _known[(portion[i], rung)] / rungs;
                }

                report(done, total);
            }

            return means;
        }
    }

    /// <summary>Replays those of which nothing is known yet.</summary>
    private int Replay(List<Candidate> tables, int rung, ReplayEvaluator evaluator, CancellationToken cancellationToken)
    {
        var missing = tables.Where(table => !_known.ContainsKey((table, rung))).ToList();
        foreach (var table in missing)
        {
            if (_plan.Journal?.Find(table.Hash, rung) is { } score) _known.Add((table, rung), score);
        }

        var unknown = missing.Where(table => !_known.ContainsKey((table, rung))).ToList();
        var scores = new double[unknown.Count];
        InParallel.For(
            unknown.Count, _plan.Threads, i => scores[i] = Evaluate(evaluator, unknown[i], rung), cancellationToken);
        for (var i = 0; i < unknown.Count; i++)
        {
            _known.Add((unknown[i], rung), scores[i]);
            _plan.Journal?.Add(unknown[i].Hash, rung, scores[i], TimeSpan.Zero);
        }

        return missing.Count;
    }

    private long PatienceWith(ReplaySettings settings)
    {
        var parent = new ReplayEvaluator(_plan.Workload, settings).Evaluate(
            new DocumentPolicy(_plan.Parent), ReplayPart.Training, _plan.Seed);
        var whole = parent.VirtualMicroseconds * (double)(settings.Warmup + settings.Measured) / settings.Measured;
        return Math.Clamp((long)(Patience * whole), 1_000, settings.VirtualMax);
    }

    private static List<Candidate> Top(List<Candidate> tables, double[] scores, int count) =>
        [.. tables.Zip(scores).OrderByDescending(one => one.Second).Take(count).Select(one => one.First)];

    private double Evaluate(ReplayEvaluator evaluator, Candidate table, int rung) =>
        _plan.Objective.Of(
            evaluator.Evaluate(
                new DocumentPolicy(_space.Decode(table, "candidate")),
                ReplayPart.Training,
                SimulationRandom.Mix(_plan.Seed ^ Stream ^ SimulationRandom.Mix((ulong)rung + 1))));
}
