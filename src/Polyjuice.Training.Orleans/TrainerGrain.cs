using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;
using Orleans.Placement;
using Orleans.Runtime;
using Polyjuice.Training.Service;

namespace Polyjuice.Training.Orleans;

/// <summary>
/// Has a <see cref="TrainerService"/> run as long as it is active, on threads of its own: nothing of it runs on the
/// grain's scheduler. Orleans sees to it that there is one activation, and should there be two for a moment, the lock
/// of the state folder lets one of them train. It stays where it is until its silo ends; then whoever calls it next
/// (<see cref="TrainerKeeper"/>) has it on another silo, where it goes on with what is in the folder, a search that was
/// under way included.
/// </summary>
[KeepAlive, PreferLocalPlacement]
internal sealed partial class TrainerGrain : Grain, ITrainerGrain
{
    private readonly SiloTrainerOptions _options;
    private readonly TrainerFactory _trainers;
    private readonly LocalTrainer _local;
    private readonly IHostApplicationLifetime _lifetime;
    private readonly ILocalSiloDetails _silo;
    private readonly ILogger<TrainerGrain> _logger;
    private TrainerService? _trainer;
    private CancellationTokenRegistration _ending;
    private string? _problem;

    public TrainerGrain(
        IServiceProvider services, IHostApplicationLifetime lifetime, ILocalSiloDetails silo,
        ILogger<TrainerGrain> logger)
    {
        // While silos are told one after the other to have a trainer, it may come to one that has not been told yet.
        _trainers = services.GetService<TrainerFactory>()
            ?? throw new InvalidOperationException(
                $"Silo {silo.SiloAddress} has no trainer: its configuration has no AddTrainer().");
        _options = services.GetRequiredService<IOptions<SiloTrainerOptions>>().Value;
        _local = services.GetRequiredService<LocalTrainer>();
        (_lifetime, _silo, _logger) = (lifetime, silo, logger);
    }

    private bool IsRunning => _trainer?.ExecuteTask is { IsCompleted: false };

    /// <inheritdoc/>
    public Task<TrainerReport> GetReport() =>
        Task.FromResult(TrainerReport.Of(_silo.SiloAddress.ToString(), IsRunning, _problem, _trainer?.Status));

    /// <inheritdoc/>
    public override Task OnActivateAsync(CancellationToken cancellationToken)
    {
        var options = new GrainTimerCreationOptions(TimeSpan.Zero, _options.CheckInterval)
        {
            KeepAlive = true, Interleave = true,
        };
        this.RegisterGrainTimer(EnsureAsync, options);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override async Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken)
    {
        await _ending.DisposeAsync();
        if (_trainer is not { } trainer) return;
        await EndAsync(trainer, cancellationToken);
        _local.Gone(trainer);
        Stopped(_logger, reason.ReasonCode);
    }

    /// <summary>
    /// What a search has found is judged, for as long as the silo lets it. If that is too short, the folder has what it
    /// takes to go on.
    /// </summary>
    private static async Task EndAsync(TrainerService trainer, CancellationToken cancellationToken)
    {
        await trainer.StopAsync(cancellationToken);
        trainer.Dispose();
    }

    /// <summary>
    /// Starts it, unless it runs: for the first time, or again when its folder was another's or could not be reached,
    /// or it has failed.
    /// </summary>
    private async Task EnsureAsync(CancellationToken cancellationToken)
    {
        if (IsRunning || _lifetime.ApplicationStopping.IsCancellationRequested) return;
        string? failure = null;
        if (_trainer is { } earlier)
        {
            failure = earlier.ExecuteTask?.Exception?.InnerException?.Message;
            if (failure is not null) Tell(failure);
            earlier.Dispose();
            _local.Gone(earlier);
            _trainer = null;
        }

        try
        {
            // Files are read, which holds up a thread.
            var trainer = await Task.Run(OpenAsync, CancellationToken.None);
            if (cancellationToken.IsCancellationRequested)
            {
                // The grain has gone meanwhile.
                await EndAsync(trainer, new CancellationToken(canceled: true));
                return;
            }

            // A silo that is told to stop has things to hand over first; the search ends meanwhile, and not after that.
            _trainer = trainer;
            _local.Here(trainer);
            await _ending.DisposeAsync();
            _ending = _lifetime.ApplicationStopping.UnsafeRegister(
                static trainer => _ = EndAsync((TrainerService)trainer!, CancellationToken.None), trainer);
            _problem = failure;
            Started(_logger, _options.StateFolder);
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            Tell(exception.Message);
        }
    }

    private async Task<TrainerService> OpenAsync()
    {
        var trainer = _trainers.Open();
        await trainer.StartAsync(CancellationToken.None);
        return trainer;
    }

    /// <summary>Once, however often it is tried.</summary>
    private void Tell(string problem)
    {
        if (_problem != problem) NotStarted(_logger, problem);
        _problem = problem;
    }

    [LoggerMessage(1, LogLevel.Information,
        "The trainer of the cluster runs on this silo now, with its state in {Folder}.")]
    private static partial void Started(ILogger logger, string folder);

    [LoggerMessage(2, LogLevel.Information, "The trainer of the cluster leaves this silo ({Reason}).")]
    private static partial void Stopped(ILogger logger, DeactivationReasonCode reason);

    [LoggerMessage(3, LogLevel.Warning,
        "The trainer of the cluster does not run, and is started again later: {Problem}")]
    private static partial void NotStarted(ILogger logger, string problem);
}
