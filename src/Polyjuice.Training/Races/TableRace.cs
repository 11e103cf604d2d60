using System.ComponentModel.DataAnnotations;
using Polyjuice.Policies;

namespace Polyjuice.Training.Races;

/// <summary>
/// Finds the best of some tables on a real cluster, where each measurement takes seconds and differs from the next one:
/// all are measured in turns, and those that make less than the leader beyond chance are out (a race: Maron and Moore,
/// "Hoeffding races", NIPS 1994; with paired t-tests as Birattari et al., "A racing algorithm for configuring
/// metaheuristics", GECCO 2002). So most of the time goes to those that are close.
/// </summary>
/// <remarks>
/// Each round goes through the tables in the order opposite to the one before: what changes steadily meanwhile is the
/// same for all.
/// </remarks>
/// <param name="track">Where.</param>
/// <param name="options">How.</param>
internal sealed class TableRace(IRaceTrack track, RaceOptions options)
{
    /// <summary>Hears of every measurement: the round, the table, and what it made.</summary>
    public Action<int, PolicyDocument, double> Measured { get; init; } = static (_, _, _) => { };

    /// <summary>Runs it until one table is left, or the rounds are over.</summary>
    /// <param name="tables">At least one, each with a name of its own.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>
    /// The standings, the best first; those that are out behind all others, each by what it made beside the leader
    /// while both were in: rounds differ, and figures of different rounds say little about each other.
    /// </returns>
    /// <exception cref="ValidationException">An option is out of its bounds.</exception>
    /// <exception cref="ArgumentException">There is no table, or two have the same name.</exception>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public async Task<IReadOnlyList<RaceStanding>> RunAsync(
        IReadOnlyList<PolicyDocument> tables, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(tables);
        Validator.ValidateObject(options, new ValidationContext(options), validateAllProperties: true);
        if (tables.Count == 0) throw new ArgumentException("There is no table to measure.", nameof(tables));
        if (tables.GroupBy(static table => table.Name).FirstOrDefault(static group => group.Count() > 1) is { } twice)
            throw new ArgumentException($"Two tables are named {twice.Key}.", nameof(tables));
        var runners = tables.Select(static table => new Runner(table)).ToArray();
        for (var round = 1; round <= options.RoundsMax; round++)
        {
            var left = runners.Where(static runner => !runner.IsOut).ToArray();
            if (left.Length == 1 && round > 1) break;
            if (round % 2 == 0) Array.Reverse(left);
            foreach (var runner in left)
            {
                var rate = await track.MeasureAsync(runner.Table, round, cancellationToken).ConfigureAwait(false);
                runner.Rates.Add(rate);
                Measured(round, runner.Table, rate);
            }

            Sift(left);
        }

        var standings = runners.Select(static runner => runner.Standing).ToArray();
        var leader = standings.Where(static standing => !standing.IsOut).MaxBy(static standing => standing.Mean)!;
        return [.. standings.OrderBy(static standing => standing.IsOut)
            .ThenByDescending(standing => standing.Over(leader, options.Confidence).Ratio)];
    }

    private void Sift(Runner[] left)
    {
        var leader = left.MaxBy(static runner => runner.Standing.Mean)!.Standing;
        var rounds = leader.Rates.Count;
        foreach (var runner in left)
        {
            if (runner.Table == leader.Table) continue;
            var isHopeless = rounds >= 2
                && runner.Rates.Zip(leader.Rates).All(pair => pair.First < options.Hopeless * pair.Second);

            // One-sided: only that it makes less matters.
            var isLess = rounds >= options.RoundsMin && rounds < options.RoundsMax
                && runner.Standing.Over(leader, (2 * options.Confidence) - 1).High < 1;
            runner.IsOut = isHopeless || isLess;
        }
    }

    private sealed class Runner(PolicyDocument table)
    {
        public PolicyDocument Table => table;

        public List<double> Rates { get; } = [];

        public bool IsOut { get; set; }

        public RaceStanding Standing => new(table, [.. Rates], IsOut);
    }
}
