using System.Text.Json;
using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Tracing;
using Polyjuice.Training.Cluster.Service;
using Polyjuice.Training.Races;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service;
using Polyjuice.Training.Service.Collecting;
using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Training.Service.Retraining;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Cluster.Tests.Service;

/// <summary>The trainer service on what silos have recorded, with test clusters that decide.</summary>
[Collection(RecordedBankCollection.Name)]
public sealed class ClusterTableTrainingTests : IDisposable
{
    private const int Clients = 8;

    private readonly RecordedBank _bank;
    private readonly TestFolder _folder = new();
    private readonly ManualTime _time;
    private readonly PolicyRepository _repository;

    public ClusterTableTrainingTests(RecordedBank bank)
    {
        _bank = bank;

        // The files are done by then.
        _time = new ManualTime(DateTimeOffset.UtcNow.AddDays(3));
        _repository = new PolicyRepository(new MemoryPolicyEntries(), _time);
        bank.WriteRecordedTo(_folder.File("traces"));
    }

    public void Dispose() => _folder.Dispose();

    // One test, because each look starts some dozen clusters.
    [Fact]
    public async Task Calls_that_silos_have_recorded_are_made_again_and_a_training_that_was_stopped_goes_on()
    {
        using var stopping = new CancellationTokenSource();
        using (var stopped = Service(new WatchedOutput(stopping.Cancel, "race, round 1")))
        {
            await stopped.LookAsync(stopping.Token);
            Assert.Equal(0, stopped.Status.Trainings);
        }

        Assert.Equal(
            ["training.checkpoint", "training.checkpoint.fit", "training.checkpoint.race"],
            Directory.GetFiles(_folder.File("state"), "training.checkpoint*").Select(Path.GetFileName).Order());
        var output = new StringWriter();
        using var service = Service(output);
        await service.LookAsync(CancellationToken.None);

        Assert.Contains("All 1,600 recorded calls can be made again", output.ToString(), StringComparison.Ordinal);
        Assert.Contains("recorded with the window", output.ToString(), StringComparison.Ordinal);
        Assert.Matches(@"goes on from \d+ replays", output.ToString());
        var status = service.Status;
        Assert.Equal((1, null), (status.Trainings, status.Problem));
        Assert.NotEmpty(status.Search);
        Assert.Empty(Directory.GetFiles(_folder.File("state"), "training*"));

        // Whether it is better beyond chance, a machine that stalls in each other round can't say.
        Assert.Matches("on a cluster|on test clusters", status.LastTraining);
        var history = await _repository.ReadAsync();
        Assert.Equal(status.Published, history.InForce);
        if (history.InForce == 0) return;
        var release = await _repository.GetAsync(history.InForce, history);
        using var provenance = JsonDocument.Parse(release.Provenance);
        Assert.Equal(1_600, provenance.RootElement.GetProperty("calls").GetProperty("recorded").GetInt32());
        Assert.NotEmpty(provenance.RootElement.GetProperty("race").GetProperty("rounds").EnumerateArray());
    }

    [Fact]
    public async Task A_cluster_that_does_not_start_publishes_nothing_and_the_service_says_why()
    {
        using var service = Service(TextWriter.Null, RecordedBank.Application.NotStarting());

        await service.LookAsync(CancellationToken.None);

        Assert.Contains("failed: ", service.Status.LastTraining, StringComparison.Ordinal);
        Assert.Contains("there is no such database", service.Status.LastTraining, StringComparison.Ordinal);
        Assert.Equal(0, (await _repository.ReadAsync()).InForce);
    }

    private TrainerService Service(TextWriter output, TrainedApplication? application = null) => new(
        new TrainerOptions
        {
            StateFolder = _folder.File("state"),
            Settings = new ReplaySettings { Clients = Clients, Silos = 2 }.WithMeasured(100),

            // All was recorded in one, or in two if a day has ended meanwhile.
            Windows = new WindowGrid(TimeSpan.FromDays(1)),
            Forecast = ForecastKind.Now,
            Collecting = new TraceCollectorOptions { TransactionsMin = 1 },
            Retraining = new RetrainingOptions { FirstAfterWindows = 1 },
            Budget = new SearchBudget(TimeSpan.FromHours(1), 60),
            FirstParent = SlowTable.Document(),
        },
        new FileTraceSource(_folder.File("traces")),
        _repository,
        _time,
        NullLogger<TrainerService>.Instance,
        new BesideParent(new ClusterTableTraining(application ?? RecordedBank.Application.Slowed(), output)
        {
            Cluster = new ClusterOptions
            {
                Clients = Clients,
                Interval = TimeSpan.FromSeconds(0.2),
                Warmup = TimeSpan.FromSeconds(0.1),
                Calibration = TimeSpan.FromSeconds(1.5),
            },
            Race = new RaceOptions { RoundsMax = 2 },
            VerdictRounds = 3,
        }));

    /// <summary>Has only the table in force to beat, so that it is over in seconds.</summary>
    private sealed class BesideParent(ITableTraining inner) : ITableTraining
    {
        public bool MakesCalls => inner.MakesCalls;

        public Task<TrainedTable?> TrainAsync(TrainingTask task, CancellationToken cancellationToken) =>
            inner.TrainAsync(task with { Plan = task.Plan with { Starts = [task.Plan.Parent] } }, cancellationToken);
    }
}
