using Polyjuice.Embedded.Core;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Embedded.Simulated;

/// <summary>
/// Notices code that leaves the simulation's thread. What the order of two threads decides is different in every run, so that a
/// simulation with such code would prove nothing. Nothing is thrown where it is noticed, because that is anywhere in the
/// runtime's own code; the simulation's next step throws.
/// </summary>
internal sealed class ThreadGuard
{
    public const string Advice =
        "In simulated time, grains and clients must stay on the simulation's thread: no Task.Run, Parallel, new threads, ConfigureAwait(false) or real I/O; "
        + "Task.Delay, timers and time-outs take the TimeProvider that is injected (or the cluster's): Task.Delay(time, timeProvider).";

    // The value flows with the execution context wherever the simulation's code goes, and the runtime says when it gets there.
    private static readonly AsyncLocal<ThreadGuard?> s_current = new(Changed);

    private readonly int _thread = Environment.CurrentManagedThreadId;
    private string? _escape;

    /// <summary>Whether this is the simulation's thread.</summary>
    public bool IsHome => Environment.CurrentManagedThreadId == _thread;

    /// <summary>Runs something as the simulation, and leaves nothing of its ambient state behind.</summary>
    public void Run(Action action)
    {
        if (!IsHome)
            throw new InvalidOperationException("A simulated cluster is used on the thread that started it: do not await anything real between its calls.");
        if (NodeLoop.Current is not null)
            throw new InvalidOperationException("Code that runs in a simulation can't drive one: await grain calls instead.");
        var context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        try
        {
            ExecutionContext.Run(
                ExecutionContext.Capture()!,
                _ =>
                {
                    s_current.Value = this;
                    action();
                },
                null);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(context);
        }
    }

    /// <summary>Something of the simulation runs on another thread.</summary>
    public void Escaped(string how)
    {
        var grain = CallContext.Current?.Activation is { } activation ? $" of {activation.GrainId} on {activation.Silo.Name}" : "";
        Interlocked.CompareExchange(ref _escape, $"{how}{grain}. {Advice}\n{Environment.StackTrace}", null);
    }

    /// <summary>Throws if anything has left.</summary>
    public void ThrowIfEscaped()
    {
        if (Volatile.Read(ref _escape) is { } escape) throw new SimulationFailedException("escaped", escape);
    }

    private static void Changed(AsyncLocalValueChangedArgs<ThreadGuard?> change)
    {
        if (change.CurrentValue is { IsHome: false } guard) guard.Escaped("Code runs on another thread than the simulation's: code");
    }
}
