using Orleans;
using Polyjuice.Execution;

namespace Polyjuice.Embedded.Core;

internal sealed partial class Silo
{
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
        foreach (var activation in Where(activation => activation.Partition == partition))
            activation.Deactivate(new(DeactivationReasonCode.Migrating, "Another silo has taken over the grain's partition."));
    }

    /// <summary>Gives up a partition: its grains end what they have begun and go away first, as far as they do in time. Any thread.</summary>
    /// <param name="partition">Which.</param>
    /// <param name="isLeaving">Whether because the silo stops.</param>
    public Task ReleaseAsync(int partition, bool isLeaving = false) => Loop.RunAsync(async () =>
    {
        _isServing[partition] = false;
        var late = DrainDeadline();
        await DrainAsync(partition, late);
        await DeactivateAsync(
            activation => activation.Partition == partition,
            isLeaving
                ? new(DeactivationReasonCode.ShuttingDown, "The silo stops.")
                : new(DeactivationReasonCode.Migrating, "The grain's partition moves to another silo."),
            late);
        Engine.ReleasePartition(partition);
    });

    /// <summary>Ends in good order: grains are deactivated, what has accumulated is sent. Any thread.</summary>
    public Task StopAsync() => Loop.RunAsync(async () =>
    {
        await DeactivateAsync(_ => true, new(DeactivationReasonCode.ShuttingDown, "The silo stops."), DrainDeadline());
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

    private async Task DeactivateAsync(Func<Activation, bool> condition, DeactivationReason reason, Task late)
    {
        var leaving = Where(condition);
        foreach (var activation in leaving) activation.Deactivate(reason);
        if (leaving.Count > 0) await Task.WhenAny(Task.WhenAll(leaving.Select(activation => activation.Gone)), late);
    }

    private List<Activation> Where(Func<Activation, bool> condition) =>
        [.. Activations.Where(condition)];
}
