using Polyjuice.Hosting;

namespace Polyjuice.Embedded.Core;

// A partition that leaves in good order: what its grains have begun, they end, with all calls among themselves; what has not begun is sent on. Otherwise a grain that waits for another one of its own
// partition would hold up both of them until the time is over.
internal sealed partial class Silo
{
    /// <summary>How long a partition that moves waits for its grains' running requests, in milliseconds.</summary>
    private const int DrainMillisecondsMax = 2_000;

    /// <summary>How often a silo that stops looks whether it has finished, in microseconds.</summary>
    private const long FinishPollMicroseconds = 1_000;

    private readonly List<PartitionDrain> _drains = [];

    /// <summary>An activation has nothing left to do, for now.</summary>
    public void BecameIdle(Activation activation)
    {
        if (_drains.Count == 0 || DrainOf(activation.Partition) is not { } drain) return;
        drain.Busy.Remove(activation);
        LookWhetherDrained(drain);
    }

    /// <summary>
    /// Waits for what this silo has begun as a caller and as the agent of transactions; nothing new comes, because it serves no partition any more. Any thread. Completes after a bounded time in any case.
    /// </summary>
    /// <param name="latencyMicroseconds">How long a message may be under way to here: calls that were made before everybody knew are sent on.</param>
    public Task FinishAsync(long latencyMicroseconds) => Loop.RunAsync(async () =>
    {
        // By then every transaction has ended by itself.
        var options = Runtime.EngineOptions;
        var deadline = Loop.UtcMicroseconds + options.TransactionTimeoutMicroseconds + options.PrepareTimeoutMicroseconds + options.InDoubtTimeoutMicroseconds;
        if (latencyMicroseconds > 0) await Delay(latencyMicroseconds);
        while ((RootsRunning > 0 || Engine.HasTransactions || !Pending.IsEmpty || HasParked) && Loop.UtcMicroseconds < deadline) await Delay(FinishPollMicroseconds);
    });

    /// <summary>Requests that have started transactions and are not answered yet; between two attempts the engine knows nothing of them.</summary>
    public int RootsRunning { get; set; }

    private bool IsDraining(int partition) => _drains.Count > 0 && DrainOf(partition) is not null;

    /// <summary>Whether a call is made by a grain of a partition that is leaving, to another one of the same.</summary>
    private bool IsOfDraining(CallContext? context, int partition) => _drains.Count > 0 && context?.Activation?.Partition == partition && IsDraining(partition);

    private async Task DrainAsync(int partition, Task late)
    {
        var drain = new PartitionDrain(partition);
        _drains.Add(drain);
        foreach (var activation in Where(activation => activation.Partition == partition))
        {
            foreach (var request in activation.TakeWaiting(request => !IsPartOf(partition, request))) Forward(request);
        }

        LookWhetherDrained(drain);
        await Task.WhenAny(drain.Done.Task, late);
        _drains.Remove(drain);
    }

    /// <summary>Whether a call is part of what the grains of a partition that leaves have begun: a transaction's, or one of a grain that is leaving, too.</summary>
    private static bool IsPartOf(int partition, Request request) => request.Frame is not null || (request.LocalCaller?.Caller as Activation)?.Partition == partition;

    private void LookWhetherDrained(PartitionDrain drain)
    {
        if (drain.Busy.Count > 0) return;
        foreach (var activation in Activations)
        {
            if (activation.Partition == drain.Partition && !activation.IsIdle) drain.Busy.Add(activation);
        }

        if (drain.Busy.Count == 0) drain.Done.TrySetResult();
    }

    private PartitionDrain? DrainOf(int partition)
    {
        foreach (var drain in _drains)
        {
            if (drain.Partition == partition) return drain;
        }

        return null;
    }

    private Task DrainDeadline() => Delay(DrainMillisecondsMax * 1_000L);

    private Task Delay(long microseconds)
    {
        var due = new TaskCompletionSource();
        Loop.Schedule(Loop.UtcMicroseconds + microseconds, static state => ((TaskCompletionSource)state!).TrySetResult(), due);
        return due.Task;
    }

    private sealed class PartitionDrain(int partition)
    {
        public int Partition => partition;

        /// <summary>Activations that had something to do when they were last looked at.</summary>
        public HashSet<Activation> Busy { get; } = [];

        public TaskCompletionSource Done { get; } = new();
    }
}
