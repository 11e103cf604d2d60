namespace Polyjuice.Wire;

/// <summary>
/// What the engine asks its host to do later: ticks while anything is unfinished, looks for cycles, and delays.
/// </summary>
/// <param name="context">Whose.</param>
/// <param name="tick">
/// A tick has come. All parts are housekept in it, and most of them ask for ticks: hence a callback.
/// </param>
/// <param name="probe">
/// It is time to look for cycles across nodes, on the host's clock; a callback for the same reason.
/// </param>
internal sealed class Timers(EngineContext context, Action tick, Action<long> probe)
{
    private readonly LinkedList<TaskCompletionSource> _delays = [];
    private bool _isTicking;
    private long _probeAt = long.MaxValue;
    private int _probeTimers;

    public void EnsureTicking()
    {
        if (_isTicking || context.IsStopped) return;
        _isTicking = true;
        context.Host.ScheduleHousekeeping(context.Options.TickMicroseconds, Tick);
    }

    /// <summary>Cycles across nodes are looked for more often than the rest of the housekeeping is done.</summary>
    public void EnsureProbing(long at)
    {
        if (at >= _probeAt || context.IsStopped) return;
        _probeAt = at;
        _probeTimers++;
        context.Host.ScheduleHousekeeping(Math.Max(0, at - context.Now), Probe);
    }

    /// <summary>
    /// Completes after that time, or when the engine stops: whoever comes back from it asks for that
    /// (<see cref="EngineContext.IsStopped"/>), or would never wait again.
    /// </summary>
    public Task Delay(long microseconds)
    {
        if (context.IsStopped) return Task.CompletedTask;
        var done = _delays.AddLast(new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        context.Host.Schedule(microseconds, () =>
        {
            if (done.List is not null) _delays.Remove(done);
            done.Value.TrySetResult();
        });
        return done.Value.Task;
    }

    /// <summary>The engine has stopped: nobody waits any longer.</summary>
    public void EndDelays()
    {
        foreach (var delay in _delays) delay.TrySetResult();
        _delays.Clear();
    }

    private void Tick()
    {
        _isTicking = false;
        if (!context.IsStopped) tick();
    }

    private void Probe()
    {
        var now = context.Now;
        _probeTimers--;

        // One that an earlier time has overtaken; the last one does the work even if the clock was set back meanwhile.
        if (context.IsStopped || (now < _probeAt && _probeTimers > 0)) return;
        _probeAt = long.MaxValue;
        probe(now);
    }
}
