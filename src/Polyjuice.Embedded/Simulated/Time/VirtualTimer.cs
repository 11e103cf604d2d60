using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded.Simulated;

/// <summary>A timer on a node's turn, in virtual time.</summary>
internal sealed class VirtualTimer : ITimer
{
    private static readonly SendOrPostCallback s_due = static state => ((Tick)state!).Due();

    private readonly NodeLoop _loop;
    private readonly TimerCallback _callback;
    private readonly object? _state;
    private readonly ExecutionContext? _context = ExecutionContext.Capture();
    private TimeSpan _period;
    private int _generation;
    private bool _isDisposed;

    public VirtualTimer(NodeLoop loop, TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        _loop = loop;
        _callback = callback;
        _state = state;
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

    private void Schedule(TimeSpan dueTime)
    {
        if (dueTime == Timeout.InfiniteTimeSpan) return;
        _loop.Schedule(_loop.UtcMicroseconds + Durations.Microseconds(dueTime), s_due, new Tick(this, _generation));
    }

    private sealed class Tick(VirtualTimer timer, int generation)
    {
        public void Due()
        {
            if (generation != timer._generation) return;
            if (timer._context is { } context) ExecutionContext.Run(context, static state => ((Tick)state!).Run(), this);
            else Run();
            if (generation == timer._generation && timer._period > TimeSpan.Zero) timer.Schedule(timer._period);
        }

        private void Run() => timer._callback(timer._state);
    }
}
