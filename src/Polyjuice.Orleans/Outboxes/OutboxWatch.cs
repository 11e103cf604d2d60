using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Execution;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Outboxes;

/// <summary>
/// Wakes lanes of the log partitions that this silo serves: those that something was written to, those that have
/// messages to send, and those of a partition that it has taken over. It looks at what the engine has in memory, so
/// an idle outbox costs a few microseconds for each look.
/// </summary>
internal sealed class OutboxWatch(SiloEngine silo, OutboxMetrics metrics, IServiceProvider services)
    : ILifecycleParticipant<ISiloLifecycle>
{
    /// <summary>From one look to the next.</summary>
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100);

    private readonly CancellationTokenSource _stopping = new();
    private Task _watching = Task.CompletedTask;

    /// <inheritdoc/>
    public void Participate(ISiloLifecycle lifecycle) => lifecycle.Subscribe(
        nameof(OutboxWatch),
        ServiceLifecycleStage.Active,
        _ =>
        {
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
        var grains = services.GetRequiredService<IGrainFactory>();
        var partitions = Enumerable.Range(0, silo.Partitions)
            .Select(partition => LaneNames.KeysOf(partition, silo.Partitions)
                .Select(key => new WatchedLane(key, grains, silo.Logger)).ToArray())
            .ToArray();
        using var timer = new PeriodicTimer(s_interval);
        try
        {
            while (await timer.WaitForNextTickAsync(_stopping.Token))
            {
                var pending = 0L;
                for (var partition = 0; partition < partitions.Length; partition++)
                {
                    silo.ReadWriteTimes(partition, partitions[partition]);
                    foreach (var lane in partitions[partition]) pending += lane.Look();
                }

                metrics.Pending = pending;
            }
        }
        catch (OperationCanceledException)
        {
            // The silo stops.
        }
    }
}
