using System.Globalization;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Tracing;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service;
using Polyjuice.Training.Service.Collecting;
using Polyjuice.Training.Service.Retraining;

namespace Polyjuice.Training.Tests.Service;

/// <summary>
/// The service on files as silos write them, with small searches
/// whose verdict is the test's. Its clock moves when a test moves it.
/// </summary>
public sealed class TrainerServiceTests : IDisposable
{
    private const int Day = 24;

    private static readonly SearchBudget s_small = new(TimeSpan.FromHours(1), 60);

    private readonly RecordedFolder _traces = new();
    private readonly string _state = Directory.CreateTempSubdirectory("polyjuice-trainer-state").FullName;
    private readonly MemoryPolicyEntries _entries = new();
    private readonly ManualTime _time = new(RecordedFolder.Begin);
    private readonly PolicyRepository _repository;

    public TrainerServiceTests() => _repository = new PolicyRepository(_entries, _time);

    public void Dispose()
    {
        _traces.Dispose();
        Directory.Delete(_state, recursive: true);
    }

    [Fact]
    public async Task The_first_table_is_published_when_a_day_was_seen_and_says_where_it_came_from()
    {
        await RecordAsync(0, Day, 0.3);
        using var service = Service(Better);

        await service.LookAsync(default);

        var status = service.Status;
        Assert.Equal((24L, 1, 1), (status.WindowsSeen, status.Trainings, status.Published));
        Assert.Equal(RetrainingVerdict.First, status.Decision!.Verdict);
        Assert.InRange(status.TrainedFor!.Value, 0.28, 0.32);
        Assert.NotEmpty(status.Search);
        Assert.False(status.IsTraining);
        var training = new TrainerTrainingStatus(service);
        var shown = training.Current;
        Assert.Same(shown, training.Current);
        Assert.Equal(
            status.Search.Select(point => (point.Evaluations, point.Best, point.Mean)),
            Assert.Single(shown.Curves).Points.Select(point => (point.Evaluations, point.Best, point.Mean)));
        Assert.Contains(status.Decision!.Reason, shown.Decision, StringComparison.Ordinal);
        Assert.Contains("24 were seen", shown.State, StringComparison.Ordinal);
        var history = await _repository.ReadAsync();
        var release = await _repository.GetAsync(history.InForce, history);
        Assert.Equal("learned-1", release.Name);
        Assert.Contains("conflict rate of 0.3", release.Provenance, StringComparison.Ordinal);
        Assert.Equal(release.Policy, File.ReadAllText(Path.Combine(_state, "tables", "learned-1.json")));
    }

    [Fact]
    public async Task As_long_as_the_rate_is_what_the_table_was_trained_for_nothing_is_trained()
    {
        await RecordAsync(0, Day, 0.3);
        using var service = Service(Better);
        await service.LookAsync(default);
        await RecordAsync(Day, 3 * Day, 0.3);

        await service.LookAsync(default);

        Assert.Equal(1, service.Status.Trainings);
        Assert.Equal(RetrainingVerdict.Keep, service.Status.Decision!.Verdict);
        Assert.Contains("Deferred", service.Status.Decision.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task After_a_shift_another_table_is_trained_on_the_windows_since_with_the_one_in_force_as_its_parent()
    {
        await RecordAsync(0, 8 * Day, 0.3);
        using var service = Service(Better);
        await service.LookAsync(default);
        var first = await InForceAsync();
        await RecordAsync(8 * Day, 2, 0.5);

        await service.LookAsync(default);

        Assert.Equal(RetrainingVerdict.Shifted, service.Status.Decision!.Verdict);
        Assert.Equal(2, service.Status.Trainings);
        Assert.InRange(service.Status.TrainedFor!.Value, 0.45, 0.55);
        var second = (await InForceAsync())!.Provenance;
        Assert.Contains("\"transactions\": 600", second, StringComparison.Ordinal);
        Assert.Contains($"\"parent\": \"{first!.Name}\"", second, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_shift_that_was_seen_while_it_caught_up_is_answered_although_windows_follow_it()
    {
        await RecordAsync(0, 8 * Day, 0.3);
        using var service = Service(NothingBetter);
        await service.LookAsync(default);
        await RecordAsync(8 * Day, 6, 0.5);

        await service.LookAsync(default);

        Assert.Equal(RetrainingVerdict.Shifted, service.Status.Decision!.Verdict);
        Assert.Equal(2, service.Status.Trainings);
    }

    [Fact]
    public async Task A_kept_trace_that_is_damaged_is_left_out()
    {
        await RecordAsync(0, Day - 1, 0.3);
        using var service = Service(Better);
        await service.LookAsync(default);
        foreach (var file in Directory.GetFiles(Path.Combine(_state, "windows")).Skip(1))
            await File.WriteAllTextAsync(file, "not a trace");
        await RecordAsync(Day - 1, 1, 0.3);

        await service.LookAsync(default);

        Assert.Equal(1, service.Status.Published);
        Assert.Contains("\"transactions\": 600", (await InForceAsync())!.Provenance, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_silos_take_back_is_said_once_and_remembered()
    {
        await RecordAsync(0, Day, 0.3);
        using (var service = Service(Better))
        {
            await service.LookAsync(default);
            Assert.Equal(0, service.Status.TakenBack);
            await _repository.RollBackAsync("It was slower here.", "silo");

            await service.LookAsync(default);

            Assert.Equal((1, 1), (service.Status.Published, service.Status.TakenBack));
            Assert.Contains("It was slower here.", service.Status.LastTraining, StringComparison.Ordinal);
            var said = service.Status.LastTraining;
            await service.LookAsync(default);
            Assert.Equal(said, service.Status.LastTraining);
        }

        using var again = Service(Better);
        Assert.Equal(1, again.Status.TakenBack);
    }

    [Fact]
    public async Task What_is_no_better_is_not_published_and_counts_as_trained_for()
    {
        await RecordAsync(0, Day, 0.3);
        using var service = Service(NothingBetter);

        await service.LookAsync(default);

        Assert.Equal((1, 0), (service.Status.Trainings, service.Status.Published));
        Assert.NotNull(service.Status.TrainedFor);
        Assert.Contains("does not beat", service.Status.LastTraining, StringComparison.Ordinal);
        Assert.Empty((await _repository.ReadAsync()).Entries);
    }

    [Fact]
    public async Task A_built_in_table_that_is_better_than_the_one_in_force_is_published_if_none_was_found()
    {
        // Of those that are at one of three hot records at a time, all but one begin anew.
        await RecordAsync(0, Day, 0.9);
        using var service = Service(NothingFound, firstParent: "occ", measured: 300);

        await service.LookAsync(default);

        Assert.Equal((1, 1), (service.Status.Trainings, service.Status.Published));
        var release = (await InForceAsync())!;
        Assert.Contains(release.Name, BuiltinPolicies.Names);
        Assert.NotEqual("occ", release.Name);
        Assert.Contains("more than occ", service.Status.LastTraining, StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_that_is_started_again_goes_on_where_it_was()
    {
        await RecordAsync(0, Day, 0.3);
        using (var first = Service(Better)) await first.LookAsync(default);

        using var second = Service(Better);
        Assert.Equal((24L, 1, 1), (second.Status.WindowsSeen, second.Status.Trainings, second.Status.Published));
        await RecordAsync(Day, Day, 0.3);
        await second.LookAsync(default);

        Assert.Equal((48L, 1), (second.Status.WindowsSeen, second.Status.Trainings));
    }

    [Fact]
    public async Task A_search_that_is_ended_goes_on_from_its_checkpoint_when_the_service_is_started_again()
    {
        await RecordAsync(0, Day, 0.3);
        using var ending = new CancellationTokenSource();
        using (var first = Service((plan, report, token) => NothingBetter(plan, Ending(ending, report), token)))
        {
            await first.LookAsync(ending.Token);
            Assert.Equal(0, first.Status.Trainings);
        }

        var replayed = File.ReadAllLines(Path.Combine(_state, "training.checkpoint")).Length;
        Assert.True(replayed > 1);

        using var second = Service(NothingBetter);
        await second.LookAsync(default);

        Assert.Equal(1, second.Status.Trainings);
        Assert.False(File.Exists(Path.Combine(_state, "training.checkpoint")));
        Assert.False(File.Exists(Path.Combine(_state, "training.pjtrace")));
    }

    [Fact]
    public async Task A_search_that_is_ended_publishes_what_it_has_found_if_it_is_better()
    {
        await RecordAsync(0, Day, 0.3);
        using var ending = new CancellationTokenSource();
        using var service = Service((plan, report, token) => Better(plan, Ending(ending, report), token));

        await service.LookAsync(ending.Token);

        Assert.Equal((1, 1), (service.Status.Trainings, service.Status.Published));
        Assert.Contains("\"endedEarly\": true", (await InForceAsync())!.Provenance, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_somebody_else_publishes_during_a_search_is_not_overwritten()
    {
        await RecordAsync(0, Day, 0.3);
        var occ = PolicyWriter.Write(BuiltinPolicies.Get("occ").Document);
        using var service = Service((plan, report, token) =>
        {
            _repository.PublishAsync(occ, "somebody", cancellationToken: token).GetAwaiter().GetResult();
            return Better(plan, report, token);
        });

        await service.LookAsync(default);

        Assert.Equal("occ", (await InForceAsync())!.Name);
        Assert.Equal(0, service.Status.Published);
        Assert.Null(service.Status.TrainedFor);
        Assert.Contains("not published", service.Status.LastTraining, StringComparison.Ordinal);
    }

    [Fact]
    public async Task While_it_runs_it_looks_again_after_each_interval_and_stops_when_it_is_told_to()
    {
        using var service = Service(NothingBetter);
        var seen = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var looked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        service.Changed += status =>
        {
            looked.TrySetResult();
            if (status.WindowsSeen == 2) seen.TrySetResult();
        };
        await service.StartAsync(default);
        await looked.Task;
        await RecordAsync(0, 2, 0.3);
        _time.MoveTo(_time.GetUtcNow().AddMinutes(1));

        await seen.Task;
        await service.StopAsync(default);

        Assert.True(service.ExecuteTask!.IsCompletedSuccessfully);
    }

    [Fact]
    public async Task What_can_not_be_reached_is_tried_again()
    {
        var source = new FailingSource(new FileTraceSource(_traces.Path)) { IsFailing = true };
        using var service = Service(NothingBetter, source);
        var failed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var seen = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        service.Changed += status =>
        {
            if (status.Problem is not null) failed.TrySetResult();
            if (status is { WindowsSeen: 2, Problem: null }) seen.TrySetResult();
        };
        await RecordAsync(0, 2, 0.3);
        await service.StartAsync(default);
        await failed.Task;
        source.IsFailing = false;
        _time.MoveTo(_time.GetUtcNow().AddMinutes(1));

        await seen.Task;
        await service.StopAsync(default);
    }

    [Theory]
    [InlineData("{ not json", "can't be read")]
    [InlineData(
        "{\"schema\":9,\"windowSeconds\":3600,\"history\":[],\"position\":{\"nextWindow\":0,\"done\":{}}}", "schema 9")]
    [InlineData(
        "{\"schema\":1,\"windowSeconds\":60,\"history\":[],\"position\":{\"nextWindow\":0,\"done\":{}}}",
        "windows of 60 s")]
    public void A_state_that_can_not_be_used_is_refused_and_stays_as_it_is(string state, string message)
    {
        var path = Path.Combine(_state, "state.json");
        File.WriteAllText(path, state);

        var refusal = Assert.Throws<InvalidDataException>(() => Service(NothingBetter));

        Assert.Contains(message, refusal.Message, StringComparison.Ordinal);
        Assert.Equal(state, File.ReadAllText(path));
    }

    [Fact]
    public async Task A_folder_that_another_trainer_uses_is_refused_until_that_one_has_ended()
    {
        var first = Service(NothingBetter);
        await first.StartAsync(default);

        var refusal = Assert.Throws<IOException>(() => Service(NothingBetter));
        Assert.Contains($"used by process {Environment.ProcessId} ", refusal.Message, StringComparison.Ordinal);

        await first.StopAsync(default);
        first.Dispose();
        Service(NothingBetter).Dispose();
    }

    [Fact]
    public async Task A_trainer_that_is_disposed_in_the_middle_of_a_search_keeps_its_folder_until_that_has_ended()
    {
        await RecordAsync(0, Day, 0.3);
        var searching = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var judged = new ManualResetEventSlim();
        var first = Service((plan, report, token) =>
        {
            searching.SetResult();
            judged.Wait();
            return NothingBetter(plan, report, default);
        });
        await first.StartAsync(default);
        await searching.Task;

        first.Dispose();
        Assert.Throws<IOException>(() => Service(NothingBetter));
        judged.Set();
        await first.ExecuteTask!;

        using var second = Service(NothingBetter);
        Assert.Equal(1, second.Status.Trainings);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Searches_give_way_to_others_if_they_are_to(bool hasLowPriority)
    {
        if (!OperatingSystem.IsLinux()) return;
        await RecordAsync(0, Day, 0.3);
        var (own, searches) = (Niceness(), 0);
        using var service = Service((plan, report, token) =>
        {
            searches = Niceness();
            return NothingBetter(plan, report, token);
        }, hasLowPriority: hasLowPriority);

        await service.LookAsync(default);

        Assert.Equal(hasLowPriority ? 19 : own, searches);

        // The nineteenth field, behind the name, which is in parentheses and may have spaces.
        static int Niceness() =>
            int.Parse(
                File.ReadAllText("/proc/thread-self/stat").Split(')')[^1].Split(' ')[17],
                CultureInfo.InvariantCulture);
    }

    private async Task RecordAsync(int from, int hours, double rate)
    {
        for (var hour = from; hour < from + hours; hour++) await _traces.WriteAsync(hour, rate);

        // The last file is done when it has been quiet for two hours.
        _time.MoveTo(RecordedFolder.Begin.AddHours(from + hours + 2));
    }

    private async Task<PolicyRelease?> InForceAsync()
    {
        var history = await _repository.ReadAsync();
        return history.InForce == 0 ? null : await _repository.GetAsync(history.InForce, history);
    }

    private static TrainingResult Better(
        TrainingPlan plan, Action<SearchPoint> report, CancellationToken cancellationToken) =>
        Judged(TableTrainer.Run(plan, report, cancellationToken), 100);

    // Nor is a built-in table: all do as the one in force.
    private static TrainingResult NothingBetter(
        TrainingPlan plan, Action<SearchPoint> report, CancellationToken cancellationToken)
    {
        var result = Judged(TableTrainer.Run(plan, report, cancellationToken), 0.01);
        var inForce = result.Baselines.Single(baseline => baseline.Name == plan.Parent.Name);
        return result with
        {
            Baselines = [.. result.Baselines.Select(baseline => baseline with { Scores = inForce.Scores })]
        };
    }

    private static TrainingResult NothingFound(
        TrainingPlan plan, Action<SearchPoint> report, CancellationToken cancellationToken) =>
        Judged(TableTrainer.Run(plan, report, cancellationToken), 0.01);

    private static TrainingResult Judged(TrainingResult result, double factor) =>
        result with { Trial = result.Trial with { Scores = [.. result.Trial.Scores.Select(score => score * factor)] } };

    private static Action<SearchPoint> Ending(CancellationTokenSource ending, Action<SearchPoint> report) => point =>
    {
        report(point);
        ending.Cancel();
    };

    private TrainerService Service(
        Func<TrainingPlan, Action<SearchPoint>, CancellationToken, TrainingResult> train, ITraceSource? source = null,
        bool hasLowPriority = false, string firstParent = "ic3", int measured = 60) => new(
        new TrainerOptions
        {
            StateFolder = _state,
            Settings = new ReplaySettings
            {
                Clients = 24, NetworkMicroseconds = 1_000, AppendMicroseconds = 5_000, Warmup = 20,
                Measured = measured
            },
            Windows = _traces.Grid, Budget = s_small, TrialReplays = 4,
            Collecting = new TraceCollectorOptions { ConflictIntervalMicroseconds = RecordedFolder.Interval },
            TrainingTransactions = 600, HasLowPriority = hasLowPriority,
            FirstParent = BuiltinPolicies.Get(firstParent).Document,
        },
        source ?? new FileTraceSource(_traces.Path), _repository, _time, NullLogger<TrainerService>.Instance,
        new ReplayTraining(train));

    private sealed class FailingSource(ITraceSource inner) : ITraceSource
    {
        public bool IsFailing { get; set; }

        public string Location => inner.Location;

        public Task<IReadOnlyList<TraceFileInfo>> ListAsync(CancellationToken cancellationToken) =>
            IsFailing ? throw new IOException("The share is away.") : inner.ListAsync(cancellationToken);

        public Stream Open(string name) => inner.Open(name);

        public Task DeleteAsync(string name, CancellationToken cancellationToken) =>
            inner.DeleteAsync(name, cancellationToken);
    }
}
