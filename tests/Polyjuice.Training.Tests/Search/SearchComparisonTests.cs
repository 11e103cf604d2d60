using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Tests.Search;

public sealed class SearchComparisonTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("searches").FullName;

    private static TrainingPlan Plan => new()
    {
        Workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2),
        Settings = new ReplaySettings { Clients = 24, NetworkMicroseconds = 1_000, AppendMicroseconds = 5_000, Warmup = 20, Measured = 60 },
        Name = "candidate",
        Budget = new SearchBudget(TimeSpan.FromHours(1), 40),
        TrialReplays = 2,
    };

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Every_search_runs_with_every_seed_and_its_curve_ends_with_its_budget()
    {
        var heard = new List<SearchCurve>();

        var curves = new SearchComparison(Plan, "digest", null).Run([new SurrogateSearch(), new EvolutionarySearch()], 2, heard.Add, CancellationToken.None);

        Assert.Equal([("ours", 1UL), ("ea", 1UL), ("ours", 2UL), ("ea", 2UL)], curves.Select(curve => (curve.Search, curve.Seed)));
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
        var part = comparison.Run([new EvolutionarySearch()], 2, _ => ending.Cancel(), ending.Token);

        var whole = new SearchComparison(Plan, "digest", _folder).Run([new EvolutionarySearch()], 2, _ => { }, CancellationToken.None);

        Assert.Equal(1UL, Assert.Single(part).Seed);
        Assert.Equal([1UL, 2UL], whole.Select(curve => curve.Seed));
        Assert.Equal(part[0].Checkpoints, whole[0].Checkpoints);
        Assert.Equal(new SearchComparison(Plan, "digest", null).Run([new EvolutionarySearch()], 2, _ => { }, CancellationToken.None)[1].Checkpoints, whole[1].Checkpoints);
    }
}
