namespace Polyjuice.Training.Tests.Calls;

/// <summary>
/// A clock that stands still until somebody waits, and then goes on to when the first wait ends, one after the other.
/// </summary>
internal sealed class SteppedTime : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly PriorityQueue<Timer, (long Due, int Number)> _timers = new();
    private long _now;
    private int _number;
    private bool _isStepping;

    /// <summary>How much longer than was asked for every wait takes.</summary>
    public TimeSpan Over { get; set; }

    public TimeSpan Elapsed => TimeSpan.FromTicks(GetTimestamp());

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp()
    {
        lock (_gate) return _now;
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new Timer(() => callback(state));
        timer.Change(dueTime, period);
        if (dueTime == Timeout.InfiniteTimeSpan) return timer;
        lock (_gate)
        {
            _timers.Enqueue(timer, (_now + (dueTime + Over).Ticks, _number++));
            if (_isStepping) return timer;
            _isStepping = true;
        }

        // Off this thread: whoever waits has to begin to wait first.
        ThreadPool.QueueUserWorkItem(_ => Step());
        return timer;
    }

    private void Step()
    {
        while (true)
        {
            Timer timer;
            lock (_gate)
            {
                if (!_timers.TryDequeue(out timer!, out var at))
                {
                    _isStepping = false;
                    return;
                }

                _now = Math.Max(_now, at.Due);
            }

            timer.Fire();
        }
    }

    private sealed class Timer(Action callback) : ITimer
    {
        private bool _isDisposed;

        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Fire()
        {
            if (!Volatile.Read(ref _isDisposed)) callback();
        }

        public void Dispose() => Volatile.Write(ref _isDisposed, true);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
