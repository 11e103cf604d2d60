namespace Polyjuice.Simulation.Events;

/// <summary>A timer in virtual time.</summary>
internal sealed class VirtualTimer : ITimer
{
    private readonly EventLoop _loop;
    private readonly Action _callback;
    private TimeSpan _period;
    private bool _isDisposed;

    // A queued event stays queued: what it was queued for is over when this has moved on.
    private int _generation;

    public VirtualTimer(EventLoop loop, Action callback, TimeSpan dueTime, TimeSpan period)
    {
        _loop = loop;
        _callback = callback;
        Change(dueTime, period);
    }

    /// <inheritdoc/>
    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        if (_isDisposed) return false;
        _generation++;
        _period = period;
        Schedule(dueTime);
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _generation++;
        _isDisposed = true;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }

    private void Schedule(TimeSpan delay)
    {
        if (delay == Timeout.InfiniteTimeSpan) return;
        var generation = _generation;

        // Never before it is due: a part of a microsecond is a whole one.
        var microseconds = (delay.Ticks + TimeSpan.TicksPerMicrosecond - 1) / TimeSpan.TicksPerMicrosecond;
        _loop.Queue(microseconds, EventKind.Timer, 0, () => Due(generation));
    }

    private void Due(int generation)
    {
        if (generation != _generation) return;
        _callback();
        if (generation == _generation && _period > TimeSpan.Zero) Schedule(_period);
    }
}
