using Orleans;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Core;

internal sealed partial class Silo
{
    /// <summary>How long a partition that moves waits for its grains' running requests, in milliseconds.</summary>
    private const int DrainMillisecondsMax = 2_000;

    /// <summary>Takes over a partition; completes when it is served here. Any thread.</summary>
    public Task AcquireAsync(int partition) => Loop.RunAsync(async () =>
    {
        await Engine.AcquirePartitionAsync(partition, CancellationToken.None);
        _isServing[partition] = true;
    });

    /// <summary>Whether calls to a partition's grains run here.</summary>
    public bool IsServing(int partition) => _isServing[partition];

    /// <summary>Another silo has taken over a partition: what comes is passed on, and its grains go away. Loop only.</summary>
    public void Lose(int partition)
    {
        if (!_isServing[partition]) return;
        _isServing[partition] = false;
        foreach (var activation in Where(activation => Runtime.Partitions.Of(activation.GrainId) == partition))
            activation.Deactivate(new(DeactivationReasonCode.Migrating, "Another silo has taken over the grain's partition."));
    }

    /// <summary>Gives up a partition: its grains go away first, as far as they end in time. Any thread.</summary>
    public Task ReleaseAsync(int partition) => Loop.RunAsync(async () =>
    {
        _isServing[partition] = false;
        await DeactivateAsync(
            activation => Runtime.Partitions.Of(activation.GrainId) == partition,
            new(DeactivationReasonCode.Migrating, "The grain's partition moves to another silo."));
        Engine.ReleasePartition(partition);
    });

    /// <summary>Ends in good order: grains are deactivated, what has accumulated is sent. Any thread.</summary>
    public Task StopAsync() => Loop.RunAsync(async () =>
    {
        await DeactivateAsync(_ => true, new(DeactivationReasonCode.ShuttingDown, "The silo stops."));
        for (var partition = 0; partition < _isServing.Length; partition++)
        {
            if (!_isServing[partition]) continue;
            _isServing[partition] = false;
            Engine.ReleasePartition(partition);
        }

        await AbandonAsync();
    });

    /// <summary>Starts to collect idle activations. Any thread.</summary>
    public void StartCollection() => Loop.Post(static state => ((Silo)state!).ScheduleCollection(), this);

    private void ScheduleCollection() =>
        Loop.ScheduleBackground(Loop.UtcMicroseconds + Runtime.CollectionQuantumMicroseconds, static state => ((Silo)state!).Collect(), this);

    private void Collect()
    {
        var now = Loop.UtcMicroseconds;
        var idleSince = now - Durations.Microseconds(Runtime.Options.CollectionAge);
        foreach (var activation in Where(known => known.IsCollectable(idleSince, now)))
            activation.Deactivate(new(DeactivationReasonCode.ActivationIdle, "The grain was idle."));
        ScheduleCollection();
    }

    private async Task DeactivateAsync(Func<Activation, bool> condition, DeactivationReason reason)
    {
        var leaving = Where(condition);
        foreach (var activation in leaving) activation.Deactivate(reason);
        if (leaving.Count == 0) return;
        var late = new TaskCompletionSource();
        Loop.Schedule(Loop.UtcMicroseconds + DrainMillisecondsMax * 1_000L, static state => ((TaskCompletionSource)state!).TrySetResult(), late);
        await Task.WhenAny(Task.WhenAll(leaving.Select(activation => activation.Gone)), late.Task);
    }

    private List<Activation> Where(Func<Activation, bool> condition) =>
        [.. Activations.Where(condition)];
}
