using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;

namespace Polyjuice.Training.Orleans;

/// <summary>
/// Calls the cluster's trainer now and then, so that there is one, whichever silo has died. Each silo does, and so
/// there is no reminder whose storage somebody would have to keep.
/// </summary>
internal sealed partial class TrainerKeeper(
    IGrainFactory grains, IOptions<SiloTrainerOptions> options, ILogger<TrainerKeeper> logger) : BackgroundService
{
    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(options.Value.CheckInterval);
        var wasReached = true;
        try
        {
            do
            {
                try
                {
                    await grains.GetTrainer().GetReport().WaitAsync(stoppingToken);
                    wasReached = true;
                }
                catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
                {
                    // Silos come and go; it is called again. Said once.
                    if (wasReached) NotReached(logger, exception.Message);
                    wasReached = false;
                }
            }
            while (await timer.WaitForNextTickAsync(stoppingToken));
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            // The silo stops.
        }
    }

    [LoggerMessage(1, LogLevel.Warning, "The trainer of the cluster can't be reached, and is called again: {Problem}")]
    private static partial void NotReached(ILogger logger, string problem);
}
