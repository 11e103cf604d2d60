using System.Text.Json;
using Polyjuice.Policies;
using Polyjuice.Training.Races;
using Polyjuice.Training.Search;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Tests;

[Collection(RecordedBankCollection.Name)]
public sealed class ClusterTrainingTests(RecordedBank bank) : IDisposable
{
    private static readonly PolicyDocument s_locking = BuiltinPolicies.Get("locking").Document;

    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly UserInterrupt _interrupt = new();

    private string Output => _output.ToString();

    public void Dispose()
    {
        _interrupt.Dispose();
        _folder.Dispose();
    }

    // One test, because each run starts some twenty clusters.
    [Fact]
    public async Task A_cluster_that_dies_in_the_race_writes_nothing_and_the_same_training_goes_on()
    {
        var application = RecordedBank.Application.Slowed();
        var plan = Plans.Of(bank.Trace, application, SlowTable.Document()) with { Checkpoint = _folder.File("search") };

        var died = await Assert.ThrowsAsync<ClusterFailedException>(
            () => RunAsync(plan with { Application = application.Dying(IsInSecondRound) }));

        Assert.StartsWith("round 2 of the race, under ", died.Message, StringComparison.Ordinal);
        Assert.Contains("has ended in the middle", died.Message, StringComparison.Ordinal);
        Assert.Equal(
            ["search", "search.fit", "search.race"],
            Directory.GetFiles(_folder.Path).Select(Path.GetFileName).Order());

        _output.GetStringBuilder().Clear();
        var result = await RunAsync(plan);

        Assert.Contains("Goes on from a calibration that was kept", Output, StringComparison.Ordinal);
        Assert.Contains("goes on from 12 replays", Output, StringComparison.Ordinal);
        Assert.Matches(@"goes on from \d+ measurements", Output);
        Assert.DoesNotContain("Warning", Output, StringComparison.Ordinal);
        var race = result.Training.Race!;
        Assert.Equal("slow", race.Best.Name);
        Assert.Contains(RaceTable.Sentence(race), Output, StringComparison.Ordinal);

        // Whether it is better beyond chance, a machine that stalls in each other round can't say.
        var better = result.Training.DecidedBy(
            race with { Gain = new RateRatio(20, 10, 40), Rates = [(1_000, 50), (1_100, 55), (900, 45)] });
        var path = _folder.File("found.json");
        await LearnedTable.WriteAsync(result.Plan, better, plan.Digest, "the bank", path);
        Assert.Equal("found", PolicyReader.Load(path).Name);
        using var provenance = JsonDocument.Parse(await File.ReadAllTextAsync(_folder.File("found.provenance.json")));
        Assert.Equal(3, provenance.RootElement.GetProperty("calls").GetProperty("fit").GetArrayLength());
        Assert.Equal(3, provenance.RootElement.GetProperty("race").GetProperty("rounds").GetArrayLength());

        // As far as that is written.
        bool IsInSecondRound()
        {
            var file = plan.Checkpoint + ".race";
            if (!File.Exists(file)) return false;
            using var reader = new StreamReader(
                new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite));
            return reader.ReadToEnd().Contains("\n2 ", StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_cluster_that_does_not_start_says_why()
    {
        var failed = await Assert.ThrowsAsync<ClusterFailedException>(
            () => RunAsync(Plans.Of(bank.Trace, RecordedBank.Application.NotStarting(), s_locking)));
        Assert.Contains("did not start: there is no such database", failed.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Where_no_call_commits_it_says_what_was_thrown()
    {
        var failed = await Assert.ThrowsAsync<ClusterFailedException>(
            () => RunAsync(Plans.Of(bank.Trace, RecordedBank.Application.Throwing(), s_locking)));
        Assert.Contains("not one of the recorded calls has committed", failed.Message, StringComparison.Ordinal);
        Assert.Contains("NotSupportedException", failed.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_loads_the_states_and_throws_ends_it()
    {
        var application = RecordedBank.Application with
        {
            LoadAsync = static (_, _) => throw new InvalidOperationException("no money")
        };
        var failed = await Assert.ThrowsAsync<ClusterFailedException>(
            () => RunAsync(Plans.Of(bank.WithoutStates(), application, s_locking)));
        Assert.Contains("no money", failed.Message, StringComparison.Ordinal);
    }

    // Nobody has money then.
    [Fact]
    public async Task Without_states_calls_meet_empty_ones_and_it_says_what_the_application_makes_of_them()
    {
        var failed = await Assert.ThrowsAsync<ClusterFailedException>(
            () => RunAsync(Plans.Of(bank.WithoutStates(), RecordedBank.Application, s_locking)));
        Assert.Contains("InsufficientFundsException", failed.Message, StringComparison.Ordinal);
        Assert.Contains("the trace has none, so empty ones", Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Calls_of_grains_that_are_not_here_are_named_and_too_many_of_them_are_refused()
    {
        var refused = await Assert.ThrowsAsync<ArgumentException>(
            () => RunAsync(Plans.Of(bank.WithoutStates("teller"), RecordedBank.Application, s_locking)));
        Assert.Contains("1,600 of 1,600", refused.Message, StringComparison.Ordinal);
        Assert.Contains("there is no grain type teller here", refused.Message, StringComparison.Ordinal);
        Assert.Contains("--left-out-percent", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_trace_without_calls_is_refused_with_how_to_record_them()
    {
        var refused = await Assert.ThrowsAsync<ArgumentException>(
            () => RunAsync(Plans.Of(bank.Trace.WithoutCalls(), RecordedBank.Application, s_locking)));
        Assert.Contains("RecordsCalls", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_is_ended_before_the_search_has_found_nothing()
    {
        _interrupt.Interrupt();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => RunAsync(Plans.Of(bank.Trace, RecordedBank.Application, s_locking)));
    }

    [Fact]
    public async Task Ctrl_C_ends_the_search_with_the_best_so_far_and_then_the_race_without_a_verdict()
    {
        var plan = Plans.Of(bank.Trace, RecordedBank.Application, s_locking);
        plan = plan with
        {
            Training = plan.Training with { Budget = new SearchBudget(TimeSpan.FromHours(1)) },
            Cluster = plan.Cluster with { Calibration = TimeSpan.Zero }
        };
        await using var output = new WatchedOutput(_interrupt.Interrupt, ", iteration ", "race, round 1");

        var result = await new ClusterTraining(output, _interrupt).RunAsync(plan);

        Assert.True(result.Training.WasEnded);
        Assert.True(result.IsUndecided);
        Assert.Null(result.Training.Race);
        Assert.NotEmpty(result.Training.Finalists);
    }

    private Task<ClusterTrainingResult> RunAsync(ClusterTrainingPlan plan) =>
        new ClusterTraining(_output, _interrupt).RunAsync(plan);
}
