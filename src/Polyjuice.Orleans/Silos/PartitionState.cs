using Orleans.Runtime;

namespace Polyjuice.Orleans.Silos;

/// <summary>One log partition as an engine sees it, and its grains there. Thread-safe.</summary>
internal sealed class PartitionState
{
    private readonly Lock _gate = new();
    private readonly HashSet<IGrainContext> _grains = new(ReferenceEqualityComparer.Instance);
    private string? _problem;
    private long _servedSince;
    private TaskCompletionSource _serving = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes when the partition is served here, or another engine is to serve it.</summary>
    public Task Settled
    {
        get
        {
            lock (_gate) return _serving.Task;
        }
    }

    /// <summary>
    /// Why it could not be taken over the last time; <see langword="null"/> while that is not known to fail.
    /// </summary>
    public string? Problem
    {
        get => Volatile.Read(ref _problem);
        set => Volatile.Write(ref _problem, value);
    }

    /// <summary>Whether somebody is taking the partition over for this engine at this moment.</summary>
    public bool IsBeingAcquired { get; set; }

    /// <summary>
    /// Whether this engine has ever served it: then who sends its grains
    /// here may go by an old address, rather than by a newer membership.
    /// </summary>
    public bool WasServed { get; set; }

    /// <summary>
    /// When this engine last took it over, in milliseconds of the system's clock that does not go back.
    /// </summary>
    public long ServedSince
    {
        get => Volatile.Read(ref _servedSince);
        set => Volatile.Write(ref _servedSince, value);
    }

    /// <summary>Whether it was found to be another engine's, and all that follows from that was done.</summary>
    public bool IsLost { get; set; }

    /// <summary>Who waits may go on.</summary>
    public void Settle()
    {
        lock (_gate) _serving.TrySetResult();
    }

    /// <summary>Who comes now waits.</summary>
    public void Unsettle()
    {
        lock (_gate)
        {
            if (_serving.Task.IsCompleted) _serving = new(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }

    /// <summary>A grain of the partition has been activated here.</summary>
    public void Add(IGrainContext grain)
    {
        lock (_gate)
        {
            if (!_grains.Add(grain)) return;
        }

        grain.Deactivated.ContinueWith(
            (_, state) => Remove((IGrainContext)state!), grain, CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    /// <summary>Whether the activation is here, and one of the partition.</summary>
    public bool Holds(IGrainContext grain)
    {
        lock (_gate) return _grains.Contains(grain);
    }

    /// <summary>The partition leaves this engine, so its grains do.</summary>
    public void DeactivateGrains()
    {
        IGrainContext[] grains;
        lock (_gate) grains = [.. _grains];
        foreach (var grain in grains) SendOn(grain);
    }

    /// <summary>
    /// A grain leaves; its calls go where it belongs. That may be here: then it is activated again, at another engine.
    /// </summary>
    public static void SendOn(IGrainContext grain) =>
        grain.Deactivate(new(DeactivationReasonCode.Migrating, "Another engine serves the grain's log partition."));

    private void Remove(IGrainContext grain)
    {
        lock (_gate) _grains.Remove(grain);
    }
}
