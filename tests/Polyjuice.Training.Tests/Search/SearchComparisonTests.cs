using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Tests.Search;

public sealed class SearchComparisonTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("searches").FullName;

    private static TrainingPlan Plan => new()
    {
        Workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2),
        Settings = new ReplaySettings
        {
            Clients = 24, NetworkMicroseconds = 1_000, AppendMicroseconds = 5_000, Warmup = 20, Measured = 60
        },
        Name = "candidate",
        Budget = new SearchBudget(TimeSpan.FromHours(1), 40),
        TrialReplays = 2,
    };

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Every_search_runs_with_every_seed_and_its_curve_ends_with_its_budget()
    {
        var heard = new List<SearchCurve>();

        var curves = new SearchComparison(Plan, "digest", null).Run(
            [new(new SurrogateSearch()), new(new EvolutionarySearch())], 2, heard.Add, CancellationToken.None);

        Assert.Equal(
            [("ours", 1UL), ("ea", 1UL), ("ours", 2UL), ("ea", 2UL)],
            curves.Select(curve => (curve.Search, curve.Seed)));
        Assert.Equal(curves, heard);
        Assert.All(curves, curve => Assert.Equal(40, curve.Checkpoints[^1].Evaluations));

        // They begin with the same tables and are measured with the same seeds.
        Assert.All(curves, curve => Assert.True(curve.Final > 0));
    }

    [Fact]
    public void One_that_was_ended_goes_on_to_what_it_would_have_come_to()
    {
        using var ending = new CancellationTokenSource();
        var comparison = new SearchComparison(Plan, "digest", _folder);
        var part = comparison.Run([new(new EvolutionarySearch())], 2, _ => ending.Cancel(), ending.Token);

        var whole = new SearchComparison(Plan, "digest", _folder).Run(
            [new(new EvolutionarySearch())], 2, _ => { }, CancellationToken.None);

        Assert.Equal(1UL, Assert.Single(part).Seed);
        Assert.Equal([1UL, 2UL], whole.Select(curve => curve.Seed));
        Assert.Equal(Worths(part[0]), Worths(whole[0]));
        Assert.Equal(
            Worths(
                new SearchComparison(Plan, "digest", null).Run(
                    [new(new EvolutionarySearch())], 2, _ => { }, CancellationToken.None)[1]),
            Worths(whole[1]));

        // What was replayed the first time took its time then; checkpoints have whole milliseconds.
        Assert.All(part[0].Checkpoints.Zip(whole[0].Checkpoints), both =>
            Assert.InRange(Math.Abs((both.First.Elapsed - both.Second.Elapsed).TotalMilliseconds), 0, 0.5));
        Assert.All(whole[0].Checkpoints, checkpoint => Assert.True(checkpoint.Elapsed > TimeSpan.Zero));
    }

    [Fact]
    public void A_search_is_compared_with_itself_without_derived_tables_under_another_name()
    {
        var search = new EvolutionarySearch();
        SearchArm[] arms = [new(search), new(search, DerivesStarts: false)];

        var curves = new SearchComparison(Plan, "digest", _folder).Run(arms, 1, _ => { }, CancellationToken.None);

        Assert.Equal(["ea", "ea-builtin"], curves.Select(curve => curve.Search));
        var alone = Plan with { DerivesStarts = false, Search = search };
        Assert.Equal(
            Worths(new SearchComparison(alone, "digest", null).Run([arms[1]], 1, _ => { }, CancellationToken.None)[0]),
            Worths(curves[1]));
        Assert.Equal(
            ["ea-1", "ea-builtin-1", "measurements"],
            Directory.GetFiles(_folder).Select(Path.GetFileNameWithoutExtension).Order());
    }

    [Fact]
    public void What_a_search_answers_is_measured_as_tables_are_that_were_there()
    {
        var comparison = new SearchComparison(Plan, "digest", null);
        var tables = TableTrainer.StartsOf(Plan);

        var known = comparison.Measure(tables, CancellationToken.None);

        // After its first iteration a search knows no other tables.
        SearchArm[] arms = [new(new EvolutionarySearch(), DerivesStarts: false)];
        var curve = comparison.Run(arms, 1, _ => { }, CancellationToken.None)[0];
        Assert.Equal(tables.Select(table => table.Name), known.Select(table => table.Name));
        Assert.Contains(curve.Checkpoints[0].Score, known.Select(table => table.Score));
    }

    private static IEnumerable<(long, double)> Worths(SearchCurve curve) =>
        curve.Checkpoints.Select(one => (one.Evaluations, one.Score));
}
