namespace Polyjuice.Embedded.RealTime;

/// <summary>A thread that looks every 10 ms whether loops have to wait because code of grains blocks the workers, and helps. It sleeps while they do. A look that comes later than it should says nothing: what held up this thread held up the workers too.</summary>
internal sealed class LoopMonitor
{
    /// <summary>Between two looks, and how long a loop may have been ready, in milliseconds.</summary>
    private const int PeriodMilliseconds = 10;

    private const long PeriodMicroseconds = PeriodMilliseconds * 1_000;

    /// <summary>Looks in a row that find all workers asleep before it sleeps, too.</summary>
    private const int QuietLooksMax = 100;

    private readonly LoopWorkers _workers;
    private readonly ManualResetEventSlim _wakeUp = new(false, spinCount: 0);
    private int _isAsleep;
    private int _isStarted;

    public LoopMonitor(LoopWorkers workers) => _workers = workers;

    /// <summary>A worker begins to work. Any thread.</summary>
    public void Attend()
    {
        if (Volatile.Read(ref _isStarted) == 0 && Interlocked.Exchange(ref _isStarted, 1) == 0)
        {
            new Thread(Run) { Name = "polyjuice monitor", IsBackground = true }.UnsafeStart();
        }

        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _isAsleep) != 0 && Interlocked.Exchange(ref _isAsleep, 0) != 0) _wakeUp.Set();
    }

    private void Run()
    {
        var quiet = 0;
        while (true)
        {
            var before = Clock.UtcMicroseconds;
            Thread.Sleep(PeriodMilliseconds);
            var now = Clock.UtcMicroseconds;
            _workers.Relieve(now, PeriodMicroseconds, wasHeldUp: now - before > 2 * PeriodMicroseconds);
            quiet = _workers.IsAllAsleep ? quiet + 1 : 0;
            if (quiet < QuietLooksMax) continue;
            _wakeUp.Reset();
            Interlocked.Exchange(ref _isAsleep, 1);
            if (_workers.IsAllAsleep) _wakeUp.Wait();
            Interlocked.Exchange(ref _isAsleep, 0);
            quiet = 0;
        }
    }
}
