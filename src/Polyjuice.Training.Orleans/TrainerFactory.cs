using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Tracing;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service;
using Polyjuice.Training.Service.Collecting;
using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Training.Service.Retraining;

namespace Polyjuice.Training.Orleans;

/// <summary>Makes the trainer of this silo, out of its options. Thread-safe.</summary>
/// <param name="trainer">What it is to do.</param>
/// <param name="silo">Where the silo writes traces, and which table it begins with.</param>
/// <param name="entries">Where it follows.</param>
/// <param name="loggers">Hear what it does.</param>
internal class TrainerFactory(
    IOptions<SiloTrainerOptions> trainer, IOptions<PolyjuiceOptions> silo, IPolicyEntries entries,
    ILoggerFactory loggers)
{
    /// <summary>However short windows are, a silo whose file has not grown for less may only be slow.</summary>
    private static readonly TimeSpan _quietMin = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Opens it: it has the state folder from then on, until it is disposed and has ended. Reads files.
    /// </summary>
    /// <exception cref="IOException">The folder can't be used, or the trainer of another silo has it.</exception>
    /// <exception cref="InvalidDataException">The state in it can't be read.</exception>
    public TrainerService Open()
    {
        // Whose entries count is the followers' to say; here they say what a table must beat.
        var key = trainer.Value.SigningKey is { } pem ? PolicySigningKey.Parse(pem) : null;
        var traces = SourceOf(silo.Value)
            ?? throw new InvalidOperationException("The silo records no traces that a trainer could read.");
        var repository = new PolicyRepository(entries, TimeProvider.System, key: key);
        var options = OptionsOf(trainer.Value) with { FirstParent = BegunWith() };
        return Open(options, traces, repository, loggers.CreateLogger<TrainerService>());
    }

    /// <summary>Where the trainer reads; <see langword="null"/> where nothing says so.</summary>
    public static ITraceSource? SourceOf(PolyjuiceOptions silo) => silo.TraceSink?.Source;

    /// <summary>
    /// What silos begin with is in force until something is published, so it is what a table must beat.
    /// </summary>
    private PolicyDocument BegunWith() =>
        silo.Value.FirstPolicy() is DocumentPolicy policy ? policy.Document : BuiltinPolicies.Get("ic3").Document;

    /// <summary>What the options come to.</summary>
    public static TrainerOptions OptionsOf(SiloTrainerOptions options)
    {
        var grid = new WindowGrid(options.Window);
        var retraining = RetrainingOptions.For(options.Forecast, grid);
        var quiet = 2 * options.Window;
        return new TrainerOptions
        {
            StateFolder = options.StateFolder,
            Settings = new ReplaySettings
            {
                Clients = options.Clients,
                Silos = options.Silos,
                CoresPerSilo = options.Cores,
                NetworkMicroseconds = (long)options.MessageTime.TotalMicroseconds,
                AppendMicroseconds = (long)options.AppendTime.TotalMicroseconds,
            }.WithMeasured(options.ReplayTransactions ?? ReplaySettings.MeasuredFor(options.Clients)),
            Windows = grid,
            Forecast = options.Forecast,
            Collecting = new TraceCollectorOptions
            {
                QuietAfter = quiet > _quietMin ? quiet : _quietMin, KeepFor = options.KeepTraces,
                ConflictIntervalMicroseconds = (long)options.ConflictInterval.TotalMicroseconds,
            },
            Retraining = retraining with
            {
                Threshold = options.Threshold,
                FirstAfterWindows = options.FirstAfterWindows ?? retraining.FirstAfterWindows,
            },
            Budget = new SearchBudget(options.Budget, options.Replays ?? long.MaxValue),
            TrialReplays = options.TrialReplays,
            Threads = options.Threads,
            HasLowPriority = true,
            By = "the silos' trainer",
            PollInterval = options.LookInterval,
        };
    }

    /// <summary>The last step.</summary>
    protected virtual TrainerService Open(
        TrainerOptions options, ITraceSource source, PolicyRepository repository, ILogger<TrainerService> logger) =>
        new(options, source, repository, TimeProvider.System, logger);
}
