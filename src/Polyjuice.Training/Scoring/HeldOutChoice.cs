using Polyjuice.Policies;

namespace Polyjuice.Training.Scoring;

/// <summary>
/// Chooses the best of a few tables on held-out data: all are replayed a few times with the same seeds, then the better
/// half, until two are left, which get most of the replays (sequential halving;
/// Karnin, Koren and Somekh, 2013). So the replays go where the choice is close.
/// </summary>
internal static class HeldOutChoice
{
    /// <summary>Chooses.</summary>
    /// <param name="evaluator">Replays one.</param>
    /// <param name="objective">What a replay is worth.</param>
    /// <param name="tables">At least one.</param>
    /// <param name="seed">Another seed, another choice.</param>
    /// <param name="replays">
    /// How many each table would get if all got as many; at least 2. Six tables
    /// get hardly more than six times that, and the last two twice as many each.
    /// </param>
    /// <param name="threads">Replays at a time; at least 1.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ArgumentException">There is no table.</exception>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public static PolicyDocument Of(
        ITableEvaluator evaluator, ScoreObjective objective, IReadOnlyList<PolicyDocument> tables, ulong seed,
        int replays, int threads, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(tables);
        ArgumentOutOfRangeException.ThrowIfLessThan(replays, 2);
        if (tables.Count == 0) throw new ArgumentException("There is nothing to choose from.", nameof(tables));
        var field = tables.Select(table => (Table: table, Sum: 0.0)).ToList();
        for (var done = 0; field.Count > 1;)
        {
            // A few for all, and for the last two what is missing to twice as many as each would have got.
            var more = field.Count == 2 ? Math.Max(1, (2 * replays) - done) : (replays + 1) / 2;
            var trial = HeldOutTrial.Run(
                evaluator, objective, [.. field.Select(one => new DocumentPolicy(one.Table))], seed, done, more,
                threads, cancellationToken);
            done += more;
            field =
            [
                .. field.Select((one, i) => (one.Table, Sum: one.Sum + trial[i].Scores.Sum()))
                .OrderByDescending(one => one.Sum).Take((field.Count + 1) / 2)
            ];
        }

        return field[0].Table;
    }
}
