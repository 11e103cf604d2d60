namespace Polyjuice.Tests.Shared;

/// <summary>
/// A clock that stands still until a test moves it; its timers fire when it has been moved past them.
/// </summary>
public sealed class ManualTime(DateTimeOffset now) : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<Timer> _timers = [];
    private DateTimeOffset _now = now;

    public override DateTimeOffset GetUtcNow()
    {
        lock (_gate) return _now;
    }

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => GetUtcNow().Ticks;

    public void MoveTo(DateTimeOffset to)
    {
        Timer[] due;
        lock (_gate)
        {
            _now = to;
            due = [.. _timers.Where(timer => timer.Due <= to)];
        }

        foreach (var timer in due) timer.Fire(to);
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new Timer(this, callback, state);
        timer.Change(dueTime, period);
        lock (_gate) _timers.Add(timer);
        return timer;
    }

    private sealed class Timer(ManualTime time, TimerCallback callback, object? state) : ITimer
    {
        private TimeSpan _period;

        public DateTimeOffset Due { get; private set; } = DateTimeOffset.MaxValue;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            _period = period;
            Due = dueTime == Timeout.InfiniteTimeSpan ? DateTimeOffset.MaxValue : time.GetUtcNow() + dueTime;
            return true;
        }

        public void Fire(DateTimeOffset now)
        {
            Due = _period > TimeSpan.Zero ? now + _period : DateTimeOffset.MaxValue;
            callback(state);
        }

        public void Dispose()
        {
            lock (time._gate) time._timers.Remove(this);
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
