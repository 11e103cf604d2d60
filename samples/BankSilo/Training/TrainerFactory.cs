using BankSilo.Settings;
using Microsoft.Extensions.Logging;
using Polyjuice.Policies.Publishing;
using Polyjuice.Tracing;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service;
using Polyjuice.Training.Service.Collecting;
using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Training.Service.Retraining;

namespace BankSilo.Training;

/// <summary>Makes the trainer of this silo, out of settings. Thread-safe.</summary>
/// <param name="settings">What it is to do.</param>
/// <param name="traces">Where silos write.</param>
/// <param name="entries">Where silos follow.</param>
/// <param name="loggers">Hear what it does.</param>
internal class TrainerFactory(TrainerSettings settings, ITraceSource traces, IPolicyEntries entries, ILoggerFactory loggers)
{
    /// <summary>Opens it: it has the state folder from then on, until it is disposed and has ended. Reads files.</summary>
    /// <exception cref="IOException">The folder can't be used, or the trainer of another silo has it.</exception>
    /// <exception cref="InvalidDataException">The state in it can't be read.</exception>
    public TrainerService Open()
    {
        // Whose entries count is the followers' to say; here they say what a table must beat.
        var key = settings.SigningKey is { } pem ? PolicySigningKey.Parse(pem) : null;
        return Open(Options, traces, new PolicyRepository(entries, TimeProvider.System, key: key), loggers.CreateLogger<TrainerService>());
    }

    /// <summary>What settings come to.</summary>
    public TrainerOptions Options
    {
        get
        {
            var grid = new WindowGrid(settings.Window);
            return new TrainerOptions
            {
                StateFolder = settings.StateFolder!,
                Settings = new ReplaySettings
                {
                    Clients = settings.Clients, Silos = settings.Silos, NetworkMicroseconds = (long)(1_000 * settings.NetworkMilliseconds), AppendMicroseconds = (long)(1_000 * settings.AppendMilliseconds),
                }.WithMeasured(ReplaySettings.MeasuredFor(settings.Clients)),
                Windows = grid,
                Collecting = new TraceCollectorOptions { QuietAfter = 2 * settings.Window, KeepFor = settings.KeepTraces },
                Retraining = new RetrainingOptions { Threshold = settings.Threshold, ConfirmingWindows = grid.PerDay, FirstAfterWindows = settings.FirstAfterWindows ?? grid.PerDay },
                Budget = new SearchBudget(settings.Budget),
                Threads = settings.Threads,
                HasLowPriority = true,
                By = "the silos' trainer",
                PollInterval = settings.LookInterval,
            };
        }
    }

    /// <summary>The last step.</summary>
    protected virtual TrainerService Open(TrainerOptions options, ITraceSource source, PolicyRepository repository, ILogger<TrainerService> logger) => new(options, source, repository, TimeProvider.System, logger);
}
