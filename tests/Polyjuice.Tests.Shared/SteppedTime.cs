namespace Polyjuice.Tests.Shared;

/// <summary>A clock that stands still until a test moves it to when somebody who waits for it is due.</summary>
public sealed class SteppedTime : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private readonly SemaphoreSlim _armed = new(0);
    private long _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref _now);

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch.AddTicks(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, () => callback(state));
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>
    /// Waits until somebody waits for the clock, and moves it to when the first
    /// of them is due, if that is soon: deadlines of what is under way are not.
    /// </summary>
    public async Task StepAsync(TimeSpan soon)
    {
        await _armed.WaitAsync();
        ManualTimer? first;
        lock (_gate)
        {
            first = _timers.Where(timer => timer.Due - _now <= soon.Ticks).MinBy(timer => timer.Due);
            if (first is null) return;
            _timers.Remove(first);
            _now = Math.Max(_now, first.Due);
        }

        first.Fire();
    }

    private sealed class ManualTimer(SteppedTime time, Action fire) : ITimer
    {
        public long Due { get; private set; }

        public void Fire() => fire();

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (time._gate)
            {
                time._timers.Remove(this);
                if (dueTime == Timeout.InfiniteTimeSpan) return true;
                Due = time._now + dueTime.Ticks;
                time._timers.Add(this);
            }

            time._armed.Release();
            return true;
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
