using Polyjuice.Policies;
using Polyjuice.Simulation.Events;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Tests.Search;

public class ForestSurrogateTests
{
    private const double Noise = 0.03;

    private static readonly TableSpace s_space =
        new(ReplayWorkload.Of(SyntheticTraces.Micro(), 2), BuiltinPolicies.Get("ic3").Document, []);

    [Fact]
    public void It_finds_the_cells_that_matter_and_guesses_tables_that_it_has_not_seen()
    {
        var forest = ForestSurrogate.Fit(s_space, Seen(160, seed: 1, Worth), Noise);

        var unseen = Tables(60, seed: 2);
        var errors = unseen.Select(table => Math.Abs(forest.Guess(table).Mean - Worth(table))).ToList();

        // Tables are worth 1, 1.5 or 2; whoever knows the mean alone is off by 0.25.
        Assert.InRange(errors.Average(), 0, 0.15);
    }

    [Fact]
    public void It_is_less_sure_where_trees_disagree()
    {
        // Half of the tables are worth the same; of the others nobody can tell why they are worth what they are.
        var forest = ForestSurrogate.Fit(
            s_space, Seen(160, seed: 1, table => table.Choices[0] == 0 ? 1 : 1 + ((table.Hash % 100) / 100.0)), Noise);

        var unseen = Tables(60, seed: 2);
        var steady = unseen.Where(table => table.Choices[0] == 0).Average(table => forest.Guess(table).Deviation);
        var wild = unseen.Where(table => table.Choices[0] == 1).Average(table => forest.Guess(table).Deviation);

        Assert.True(wild > 1.5 * steady, $"{wild:0.000} and {steady:0.000}");
    }

    [Fact]
    public void Where_all_tables_are_worth_the_same_so_is_every_other_one()
    {
        var forest = ForestSurrogate.Fit(s_space, Seen(20, seed: 1, _ => 1.25), Noise);

        Assert.All(Tables(10, seed: 2), table =>
        {
            var (mean, deviation) = forest.Guess(table);
            Assert.Equal(1.25, mean, 6);
            Assert.Equal(0, deviation, 6);
        });
    }

    [Fact]
    public void The_same_replays_give_the_same_guesses()
    {
        var (first, second) =
            (ForestSurrogate.Fit(
                s_space, Seen(60, 1, Worth), Noise), ForestSurrogate.Fit(s_space, Seen(60, 1, Worth), Noise));

        Assert.All(Tables(20, seed: 2), table => Assert.Equal(first.Guess(table), second.Guess(table)));
    }

    /// <summary>Two cells matter, and no other.</summary>
    private static double Worth(Candidate table) => 1 + (0.5 * table.Choices[0]) + (0.5 * table.Choices[1]);

    private static List<Standing> Seen(int count, ulong seed, Func<Candidate, double> worth) =>
        [.. Tables(count, seed).Select(table => Standing(table, worth(table)))];

    private static List<Candidate> Tables(int count, ulong seed)
    {
        var random = new SimulationRandom(seed);
        return [
            .. Enumerable.Range(0, count)
            .Select(_ => new Candidate([.. s_space.Cells.Select(cell => (ushort)random.Next(cell.Choices))]))
        ];
    }

    private static Standing Standing(Candidate table, double worth)
    {
        var standing = new Standing(table);
        standing.Add(0, worth);
        var reference = new Standing(table);
        reference.Add(0, 1);
        standing.Judge(RungLevels.Of([reference], reference));
        return standing;
    }
}
