using Polyjuice.Policies;
using Polyjuice.Training.Provenance;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;

namespace Polyjuice.Training.Tests.Search;

public sealed class TableTrainerTests : IDisposable
{
    private static readonly ReplayWorkload s_workload = ReplayWorkload.Of(SyntheticTraces.Micro(), 2);

    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    public static TheoryData<string> Searches =>
        [
            .. new ITableSearch[]
            {
                new SurrogateSearch(), SurrogateSearch.WithForest, new EvolutionarySearch(), new GradientSearch()
            }.Select(search => search.Name)
        ];

    [Theory]
    [MemberData(nameof(Searches))]
    public void The_same_seed_finds_the_same_table_however_many_run_at_a_time(string search)
    {
        var alone = Train(Plan(search, 60) with { Threads = 1 });
        var together = Train(Plan(search, 60) with { Threads = 2 });

        Assert.Equal(PolicyWriter.Write(alone.Found), PolicyWriter.Write(together.Found));
        Assert.Equal(alone.Trial.Scores, together.Trial.Scores);
    }

    [Theory]
    [MemberData(nameof(Searches))]
    public void A_search_that_was_ended_goes_on_from_its_checkpoint_to_where_it_would_have_come(string search)
    {
        var plan = Plan(search, 60);
        var fingerprint = TrainingProvenance.FingerprintOf(plan, "digest");
        using (var journal = SearchJournal.Open(_file, fingerprint))
            Train(plan with { Budget = new SearchBudget(TimeSpan.FromHours(1), 30), Journal = journal });

        using var resumed = SearchJournal.Open(_file, fingerprint);
        var known = resumed.Count;
        var result = Train(plan with { Journal = resumed });

        Assert.InRange(known, 20, 40);
        Assert.Equal(PolicyWriter.Write(Train(plan).Found), PolicyWriter.Write(result.Found));
    }

    [Theory]
    [MemberData(nameof(Searches))]
    public void A_time_that_is_too_short_for_anything_else_is_enough_for_the_tables_that_it_begins_with(string search)
    {
        var result = Train(Plan(search, 0) with { Budget = new SearchBudget(TimeSpan.Zero) });

        Assert.False(result.WasEnded);
        Assert.InRange(result.Evaluations, 1, result.Baselines.Count + TableTrainer.DerivedOf(Plan(search, 0)).Count);
    }

    [Fact]
    public void A_search_that_somebody_ends_leaves_the_best_so_far()
    {
        using var ending = new CancellationTokenSource();

        var result = TableTrainer.Run(
            Plan("ours", 100_000), point => { if (point.Iteration == 1) ending.Cancel(); }, ending.Token);

        Assert.True(result.WasEnded);
        Assert.NotEmpty(result.Points);
        Assert.Equal(s_workload.Catalogue, result.Found.Catalogue);
    }

    [Fact]
    public void A_longer_search_never_reports_fewer_points_and_its_best_starts_at_the_best_built_in_table()
    {
        var result = Train(Plan("ours", 150));

        var first = result.Points[0].Best;
        Assert.True(result.Points.Count > 2);
        Assert.All(result.Points, point => Assert.True(point.Best >= 0.9 * first));
    }

    [Fact]
    public void A_table_that_is_no_better_than_one_that_was_there_is_not_called_better()
    {
        // There is a budget for the tables that it begins with, and for nothing else: what comes out is one of them.
        var plan = Plan("ea", TableTrainer.StartsOf(Plan("ea", 1)).Count) with { DerivesStarts = false };
        var result = Train(plan);

        Assert.False(result.IsBetter);
        Assert.NotEmpty(result.Unbeaten);
    }

    [Theory]
    [MemberData(nameof(Searches))]
    public void A_budget_that_ends_among_the_tables_that_it_begins_with_leaves_the_best_of_those(string search)
    {
        var result = Train(Plan(search, 3));

        Assert.False(result.WasEnded);
        Assert.Equal(3, result.Evaluations);
        Assert.InRange(result.Starts.Count, 3, result.Baselines.Count);
        Assert.Empty(result.Starts.Select(start => start.Name).Except(result.Baselines.Select(one => one.Name)));
    }

    [Theory]
    [MemberData(nameof(Searches))]
    public void A_search_begins_with_derived_tables_as_well_and_need_not_beat_them(string search)
    {
        var plan = Plan(search, 60);
        var derived = TableTrainer.DerivedOf(plan).Select(table => table.Name).ToList();
        Assert.NotEmpty(derived);

        var result = Train(plan);

        Assert.Equal(
            derived.Concat(result.Baselines.Select(one => one.Name)).Order(),
            result.Starts.Select(start => start.Name).Order());
        Assert.Equal(
            result.Starts.Select(start => start.Score).OrderDescending(), result.Starts.Select(start => start.Score));
        Assert.Empty(derived.Intersect(result.Baselines.Select(one => one.Name)));
        Assert.Empty(derived.Intersect(Train(plan with { DerivesStarts = false }).Starts.Select(start => start.Name)));
    }

    [Fact]
    public void A_checkpoint_of_another_search_is_refused_and_stays_as_it_is()
    {
        using (var journal = SearchJournal.Open(_file, 1)) journal.Add(7, 0, 1.5, TimeSpan.FromSeconds(1));
        var before = File.ReadAllText(_file);

        Assert.Contains(
            "another search",
            Assert.Throws<ArgumentException>(() => SearchJournal.Open(_file, 2)).Message,
            StringComparison.Ordinal);

        Assert.Equal(before, File.ReadAllText(_file));
    }

    [Fact]
    public void A_checkpoints_torn_last_line_is_dropped()
    {
        using (var journal = SearchJournal.Open(_file, 1)) journal.Add(7, 0, 1.5, TimeSpan.FromSeconds(1));
        File.AppendAllText(_file, "00000000000000");

        using var opened = SearchJournal.Open(_file, 1);

        Assert.Equal(1, opened.Count);
        Assert.Equal(1.5, opened.Find(7, 0));
        Assert.Null(opened.Find(7, 1));
    }

    private static TrainingResult Train(TrainingPlan plan) => TableTrainer.Run(plan, _ => { }, CancellationToken.None);

    private static TrainingPlan Plan(string search, long evaluations) => new()
    {
        Workload = s_workload,
        Settings = new ReplaySettings
        {
            Clients = 24, NetworkMicroseconds = 1_000, AppendMicroseconds = 5_000, Warmup = 20, Measured = 60
        },
        Name = "found",
        Search = search switch
        {
            "ea" => new EvolutionarySearch(),
            "gradient" => new GradientSearch(),
            "forest" => SurrogateSearch.WithForest,
            _ => new SurrogateSearch()
        },
        Budget = new SearchBudget(TimeSpan.FromHours(1), evaluations),
        TrialReplays = 2,
    };
}
