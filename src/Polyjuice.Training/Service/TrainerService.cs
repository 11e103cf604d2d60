using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Tracing;
using Polyjuice.Training.Replay;
using Polyjuice.Training.Search;
using Polyjuice.Training.Service.Collecting;
using Polyjuice.Training.Service.Forecasting;
using Polyjuice.Training.Service.Retraining;
using Polyjuice.Training.Service.State;

namespace Polyjuice.Training.Service;

/// <summary>
/// Collects the traces that silos write, forecasts the coming peak of the conflict rate, trains a table when that
/// differs enough from what the one in force was trained for, and publishes it if it is better (Polyjuice, §5.3).
/// </summary>
/// <remarks>
/// It goes on where it was when it is started again, in the middle of a search, too. When it is stopped, the search
/// ends, and what it has found is published if it is better by then. What can't be reached is tried again at the next
/// look. One trainer for a state folder, which it takes until it is disposed and has ended, and for a repository.
/// <see cref="Status"/> and <see cref="Changed"/> may be used by any thread.
/// </remarks>
internal sealed class TrainerService : BackgroundService
{
    private const int PointsMax = 1_000;

    private readonly TrainerOptions _options;
    private readonly ITraceSource _traces;
    private readonly PolicyRepository _repository;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly TrainerFolder _folder;
    private readonly KeptTraces _kept;
    private readonly TraceCollector _collector;
    private readonly IPeakForecast _forecast;
    private readonly RetrainingRule _rule;
    private readonly TrainingJob _job;
    private TrainerState _state;
    private PolicyHistory? _published;
    private volatile TrainerStatus _status = new();

    /// <summary>Opens the state folder.</summary>
    /// <param name="options">What it does.</param>
    /// <param name="traces">Where silos write.</param>
    /// <param name="repository">Where it publishes.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Hears what it does, and why.</param>
    /// <param name="training">How it trains; by default replays in virtual time find tables and decide.</param>
    /// <exception cref="ValidationException">An option is out of its bounds.</exception>
    /// <exception cref="IOException">The state folder can't be used, or another trainer has it.</exception>
    /// <exception cref="InvalidDataException">Its state can't be read; nothing was changed.</exception>
    public TrainerService(
        TrainerOptions options,
        ITraceSource traces,
        PolicyRepository repository,
        TimeProvider time,
        ILogger<TrainerService> logger,
        ITableTraining? training = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(traces);
        ArgumentNullException.ThrowIfNull(repository);
        options.Validate();
        training ??= new ReplayTraining(TableTrainer.Run);
        options = options with { Collecting = options.Collecting with { KeepsCalls = training.MakesCalls } };
        (_options, _traces, _repository, _time, _logger) = (options, traces, repository, time, logger);
        _folder = new TrainerFolder(options.StateFolder);
        try
        {
            _state = _folder.Load(options.Windows);
        }
        catch
        {
            _folder.Dispose();
            throw;
        }

        _kept = new KeptTraces(_folder.Windows, options.WindowsKept, options.WindowTransactionsMax);
        _collector = new TraceCollector(traces, options.Windows, options.Collecting, time, _state.Position);
        _forecast = options.Forecast == ForecastKind.Week
            ? new ConflictForecast(options.Windows)
            : new LevelForecast(options.Windows);
        foreach (var rate in _state.History) _forecast.Observe(rate);
        _rule = new RetrainingRule(options.Retraining) { Beyond = _state.Beyond, HasShifted = _state.HasShifted };
        _job = new TrainingJob(options, _folder, repository, time, training);
        Show(status => status with { LastWindow = _state.History.Count > 0 ? _state.History[^1] : null });
    }

    /// <summary>What it is at.</summary>
    public TrainerStatus Status => _status;

    /// <summary>
    /// Comes after each change of <see cref="Status"/>, on the thread that has made it; must not block or throw.
    /// </summary>
    public event Action<TrainerStatus>? Changed;

    /// <summary>
    /// Looks once: goes on with a training that was interrupted,
    /// reads the windows that are done, and trains if that is due.
    /// </summary>
    /// <param name="cancellationToken">Ends it; a search is judged by what it has found.</param>
    /// <exception cref="IOException">Something can't be reached. What was done is kept.</exception>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public async Task LookAsync(CancellationToken cancellationToken)
    {
        Show(status => status);
        if (_state.Pending is { } interrupted) await TrainAsync(interrupted, cancellationToken);
        RetrainingDecision? decision = null;
        while (await _collector.NextAsync(cancellationToken) is { } window)
        {
            await _kept.AddAsync(window, cancellationToken);
            decision = Take(window) ?? decision;
            TellProblems();
        }

        TellProblems();
        await WatchAsync(cancellationToken);
        Show(status => status with { Problem = null });
        if (decision is { Retrains: true } && await PrepareAsync(decision, cancellationToken) is { } pending)
            await TrainAsync(pending, cancellationToken);
    }

    /// <summary>Tells it to end, unless it has, and leaves the state folder to others once it has.</summary>
    public override void Dispose()
    {
        base.Dispose();

        // A search that was ended is judged first, and what comes of that is written there.
        if (ExecuteTask is { IsCompleted: false } running)
            _ = running.ContinueWith(
                (_, folder) => ((TrainerFolder)folder!).Dispose(),
                _folder,
                CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default);
        else _folder.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        TrainerLog.Started(
            _logger, _traces.Location, _repository.Location, _folder.Path, _forecast.Seen, _state.Trainings);
        using var timer = new PeriodicTimer(_options.PollInterval, _time);
        try
        {
            do
            {
                try
                {
                    await LookAsync(stoppingToken);
                }
                catch (Exception exception)
                    when (exception is IOException or UnauthorizedAccessException or InvalidDataException
                        or PolicyFormatException)
                {
                    TrainerLog.Failed(_logger, exception.Message, exception);
                    Show(status => status with { Problem = exception.Message });
                }
            }
            while (await timer.WaitForNextTickAsync(stoppingToken));
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            // Told to stop.
        }
    }

    /// <summary>Forecasts with a window, and decides; does neither if there was too little of it.</summary>
    private RetrainingDecision? Take(CollectedWindow window)
    {
        RetrainingDecision? decision = null;
        if (window.Rate is { } rate)
        {
            var observed = new ObservedRate(window.Window, rate);
            decision = _rule.Decide(_forecast, _forecast.Observe(observed), _state.TrainedFor);
            var oldest = window.Window - _forecast.WindowsKept;
            _state = _state with
            {
                History = [.. _state.History.SkipWhile(one => one.Window <= oldest), observed],
                Beyond = _rule.Beyond,
                HasShifted = _rule.HasShifted
            };
            TrainerLog.Decided(_logger, _options.Windows.DateOf(window.Window), rate, decision.Reason);
        }
        else if (window.Trace is { } trace)
        {
            TrainerLog.TooFew(
                _logger,
                _options.Windows.DateOf(window.Window),
                trace.Transactions.Length,
                _options.Collecting.TransactionsMin);
        }

        _state = _state with { Position = _collector.Position };
        _folder.Save(_state);
        Show(
            status => status with
            {
                LastWindow = _state.History.Count > 0 ? _state.History[^1] : null,
                Decision = decision ?? status.Decision
            });
        return decision;
    }

    /// <summary>
    /// Silos put what was published on trial; if they have taken it back, that is remembered and said, once.
    /// </summary>
    private async Task WatchAsync(CancellationToken cancellationToken)
    {
        if (_state.Published == 0 || _state.TakenBack == _state.Published) return;
        _published = await _repository.ReadAsync(_published, cancellationToken);
        if (!_published.IsRolledBack(_state.Published)) return;
        var why = _published.Entries.LastOrDefault(
            entry => entry is { State: PolicyEntryState.Valid, IsRelease: false })?.Text
            ?? "";
        TrainerLog.TakenBack(_logger, _state.Published, why);
        _state = _state with
        {
            TakenBack = _state.Published, LastTraining = $"{_state.LastTraining}. It was taken back: {why}"
        };
        _folder.Save(_state);
    }

    /// <summary>Writes down what is to be trained, so that it is done even if the process ends.</summary>
    private async Task<PendingTraining?> PrepareAsync(RetrainingDecision decision, CancellationToken cancellationToken)
    {
        var rates = _state.History.ToDictionary(rate => rate.Window, rate => rate.Rate);
        if (_kept.Choose(
            rates, _forecast.LevelSince, _options.TrainingTransactions, cancellationToken) is not { } trace)
            return null;
        var pending = new PendingTraining(_state.Trainings + 1, decision.Forecast.Rate);
        _folder.EndTraining();
        await Traces.TraceFile.WriteAsync(trace, _folder.TrainingTrace, cancellationToken);
        _state = _state with { Pending = pending };
        _folder.Save(_state);
        TrainerLog.TrainingBegins(_logger, pending.Number, pending.TargetRate, trace.Transactions.Length);
        return pending;
    }

    private async Task TrainAsync(PendingTraining pending, CancellationToken cancellationToken)
    {
        Show(status => status with { IsTraining = true, Search = [] });
        try
        {
            var outcome = await _job.RunAsync(pending, Searched, cancellationToken);
            if (outcome.End == TrainingEnd.Interrupted)
            {
                TrainerLog.TrainingInterrupted(_logger, pending.Number, outcome.Text);
                return;
            }

            TrainerLog.TrainingEnded(_logger, pending.Number, outcome.Text);
            var isTrained = outcome.End is TrainingEnd.Published or TrainingEnd.NothingBetter;
            if (isTrained) _rule.Trained();
            End(pending, isTrained ? pending.TargetRate : _state.TrainedFor, outcome.Text, outcome.Release);
        }
        catch (Exception exception) when (exception is ReplayFailedException or TableTrainingException
            or Traces.TraceFormatException or FileNotFoundException)
        {
            TrainerLog.TrainingFailed(_logger, pending.Number, exception);
            End(pending, _state.TrainedFor, $"failed: {exception.Message}", 0);
        }
        finally
        {
            Show(status => status with { IsTraining = false });
        }
    }

    private void End(PendingTraining pending, double? trainedFor, string text, int release)
    {
        _state = _state with
        {
            Pending = null,
            TrainedFor = trainedFor,
            Beyond = _rule.Beyond,
            HasShifted = _rule.HasShifted,
            Trainings = pending.Number,
            LastTraining = text,
            Published = release > 0 ? release : _state.Published
        };
        _folder.Save(_state);
        _folder.EndTraining();
    }

    private void Searched(SearchPoint point)
    {
        TrainerLog.Searched(_logger, point.Iteration, point.Best, point.Evaluations);
        Show(status => status with { Search = [.. status.Search.TakeLast(PointsMax - 1), point] });
    }

    private void TellProblems()
    {
        var problems = _collector.TakeProblems();
        foreach (var (name, problem) in problems) TrainerLog.PassedOver(_logger, name, problem);
        if (problems.Count > 0)
            Show(status => status with { FilesPassedOver = status.FilesPassedOver + problems.Count });
    }

    /// <summary>One at a time: a search's thread tells of itself only while the service waits for it.</summary>
    private void Show(Func<TrainerStatus, TrainerStatus> change)
    {
        var status = change(_status) with
        {
            AliveAt = _time.GetUtcNow(), WindowsSeen = _forecast.Seen,
            Forecast = _forecast.Seen > 0 ? _forecast.Peak() : null, TrainedFor = _state.TrainedFor,
            Trainings = _state.Trainings, LastTraining = _state.LastTraining, Published = _state.Published,
            TakenBack = _state.TakenBack,
        };
        _status = status;
        Changed?.Invoke(status);
    }
}
