using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>
/// Wakes lanes of the log partitions that this silo serves: those that something was written to, those that have
/// messages to send, and those of a partition that it has taken over. It is there where senders are. It looks at what
/// the engine has in memory: where nothing was enqueued at a number, otherwise at a timestamp for each lane that was
/// used.
/// </summary>
internal sealed class OutboxWatch(
    WatchedLanes lanes, OutboxMetrics metrics, IServiceProvider services, ILoggerFactory loggers)
    : ILifecycleParticipant<ISiloLifecycle>
{
    /// <summary>From one look to the next.</summary>
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100);

    private readonly ILogger _logger = loggers.CreateLogger("Polyjuice.Orleans");
    private readonly CancellationTokenSource _stopping = new();
    private Task _watching = Task.CompletedTask;

    /// <inheritdoc/>
    public void Participate(ISiloLifecycle lifecycle) => lifecycle.Subscribe(
        nameof(OutboxWatch),
        ServiceLifecycleStage.Active,
        _ =>
        {
            foreach (var sender in services.GetServices<OutboxSenderName>()) metrics.Knows(sender.Name);
            using (ExecutionContext.SuppressFlow()) _watching = Task.Run(WatchAsync, CancellationToken.None);
            return Task.CompletedTask;
        },
        async _ =>
        {
            await _stopping.CancelAsync();
            await _watching;
        });

    private async Task WatchAsync()
    {
        var table = new LaneTable(services.GetRequiredService<IGrainFactory>(), TimeProvider.System, _logger);
        using var timer = new PeriodicTimer(s_interval);
        try
        {
            while (await timer.WaitForNextTickAsync(_stopping.Token))
            {
                try
                {
                    (metrics.Pending, metrics.Present) = table.Look(lanes.Read);
                }
                catch (Exception exception)
                {
                    // Nobody else sends this silo's messages: the next look goes on.
                    HostLog.WatchFailed(_logger, exception);
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The silo stops.
        }
    }
}
