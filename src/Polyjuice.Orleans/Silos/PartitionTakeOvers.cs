using Microsoft.Extensions.Logging;
using Polyjuice.Contracts;
using Polyjuice.Orleans.Turns;
using Polyjuice.Storage;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// Takes over the log partitions that are an engine's by the cluster's membership, and lets go of the others.
/// Thread-safe.
/// </summary>
internal sealed class PartitionTakeOvers(
    EngineIdentity self, EngineTurn turn, EngineLife life, GrainPlaces places, ServedPartitions served,
    TimeProvider time, ILogger logger)
{
    /// <summary>
    /// How often an engine looks whether it still serves what it should: a fence of another engine that was mistaken,
    /// for a moment, deposes it without a word.
    /// </summary>
    private static readonly TimeSpan s_checkInterval = TimeSpan.FromMilliseconds(200);

    private static readonly TimeSpan s_delay = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_delayMax = TimeSpan.FromSeconds(2);

    // What is damaged waits for people, and each look reads all of it.
    private static readonly TimeSpan s_unusableDelayMax = TimeSpan.FromSeconds(30);

    private readonly TaskCompletionSource _unusable = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>
    /// Completes when each partition has found who serves it. A damaged log does not mend itself: with one, the silo
    /// does not start, and whoever starts it reads which file it is.
    /// </summary>
    /// <exception cref="LogUnusableException">A log is damaged.</exception>
    public Task<Task> WhenSettledOrUnusableAsync() =>
        Task.WhenAny(Task.WhenAll(served.States.Select(static state => state.Settled)), _unusable.Task);

    /// <summary>Looks again and again, until the silo stops.</summary>
    public async Task CheckAsync()
    {
        using var timer = new PeriodicTimer(s_checkInterval);
        try
        {
            while (await timer.WaitForNextTickAsync(life.Stopping).ConfigureAwait(false)) Reconcile(places.View);
        }
        catch (OperationCanceledException)
        {
            // The silo stops.
        }
    }

    /// <summary>Has what this silo serves follow the cluster's membership.</summary>
    public void Reconcile(ClusterView view)
    {
        // Its engine has stopped by itself: nothing is served here any more.
        if (life.Engine.HasFailed) return;
        var isServed = new bool[served.States.Count];
        using (turn.Enter())
        {
            for (var partition = 0; partition < isServed.Length; partition++)
                isServed[partition] = life.Engine.Owns(partition);
        }

        for (var partition = 0; partition < isServed.Length; partition++)
        {
            var owner = view.Map.OwnerOf(partition);
            var state = served.States[partition];
            if (owner == NodeId.None) continue;
            if (owner != self.Node)
            {
                if (isServed[partition] || !state.IsLost) Lose(partition);
                continue;
            }

            if (isServed[partition]) continue;
            lock (state)
            {
                if (state.IsBeingAcquired) continue;
                state.IsBeingAcquired = true;
                state.WasServed = true;
                state.IsLost = false;
                state.Unsettle();
            }

            _ = AcquireAsync(partition, state);
        }
    }

    private async Task AcquireAsync(int partition, PartitionState state)
    {
        try
        {
            var delay = s_delay;
            while (served.IsOwn(partition) && !life.IsStopping)
            {
                try
                {
                    // An earlier take-over may have ended since somebody looked.
                    if (served.LookAt(partition).IsServed) return;
                    await turn.RunAsync(() => life.Engine.AcquirePartitionAsync(partition, life.Stopping))
                        .ConfigureAwait(false);
                    HostLog.Serving(logger, partition, self.Silo);
                    return;
                }
                catch (Exception) when (life.IsStopping || life.Engine.HasFailed || !served.IsOwn(partition))
                {
                    return;
                }
                catch (Exception exception)
                {
                    // Once, and not each time that it is found again.
                    if (state.Problem == exception.Message)
                        HostLog.StillNotAcquired(logger, exception, partition, self.Silo, delay);
                    else HostLog.NotAcquired(logger, exception, partition, self.Silo, delay);
                    state.Problem = exception.Message;
                    if (exception is LogUnusableException) _unusable.TrySetException(exception);
                    await PauseAsync(delay).ConfigureAwait(false);
                    var delayMax = exception is LogUnusableException ? s_unusableDelayMax : s_delayMax;
                    delay = delay * 2 < delayMax ? delay * 2 : delayMax;
                }
            }
        }
        finally
        {
            state.Problem = null;
            lock (state) state.IsBeingAcquired = false;
            if (!served.IsOwn(partition)) Lose(partition);
            if (served.LookAt(partition).IsServed)
            {
                state.ServedSince = Environment.TickCount64;
                state.Settle();
            }
        }
    }

    // A silo that stops does not sit it out.
    private async Task PauseAsync(TimeSpan delay) =>
        await Task.Delay(delay, time, life.Stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    // Another engine takes the partition over, of another silo or of this one.
    private void Lose(int partition)
    {
        var state = served.States[partition];
        bool was;
        using (turn.Enter())
        {
            was = life.Engine.Owns(partition);
            if (!state.IsBeingAcquired || was) life.Engine.ReleasePartition(partition);
        }

        if (was) HostLog.Leaving(logger, partition, self.Silo);
        state.IsLost = true;
        state.Settle();
        state.DeactivateGrains();
    }
}
