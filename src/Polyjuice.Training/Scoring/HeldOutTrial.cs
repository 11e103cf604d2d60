using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Training.Replay;

namespace Polyjuice.Training.Scoring;

/// <summary>Replays tables on the part of a trace that no search has seen, all with the same seeds.</summary>
internal static class HeldOutTrial
{
    /// <summary>Runs a trial.</summary>
    /// <param name="evaluator">Replays one.</param>
    /// <param name="objective">What a replay is worth.</param>
    /// <param name="tables">Which.</param>
    /// <param name="seed">Another seed, another trial.</param>
    /// <param name="replays">With how many seeds; at least 2.</param>
    /// <param name="threads">Replays at a time; at least 1.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public static IReadOnlyList<TrialResult> Run(
        ITableEvaluator evaluator, ScoreObjective objective, IReadOnlyList<IPolicyCompiler> tables, ulong seed,
        int replays, int threads, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(replays, 2);
        return Run(evaluator, objective, tables, seed, 0, replays, threads, cancellationToken);
    }

    /// <summary>A trial that goes on from another one.</summary>
    internal static IReadOnlyList<TrialResult> Run(
        ITableEvaluator evaluator, ScoreObjective objective, IReadOnlyList<IPolicyCompiler> tables, ulong seed,
        int earlier, int replays, int threads, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(evaluator);
        ArgumentNullException.ThrowIfNull(objective);
        ArgumentNullException.ThrowIfNull(tables);
        var scores = new ReplayScore[tables.Count * replays];
        InParallel.For(
            scores.Length,
            threads,
            i =>
                scores[i] = evaluator.Evaluate(
                    tables[i / replays], ReplayPart.HeldOut, SeedOf(seed, earlier + (i % replays))),
            cancellationToken);
        return [.. tables.Select((table, i) =>
        {
            var own = scores.AsSpan(i * replays, replays).ToArray();
            return new TrialResult(table.Name, [.. own.Select(objective.Of)], own);
        })];
    }

    /// <summary>The seed of one of a trial's replays: the same for all of its tables.</summary>
    internal static ulong SeedOf(ulong seed, int replay) =>
        SimulationRandom.Mix(seed ^ SimulationRandom.Mix((ulong)replay + 0x401D));
}
