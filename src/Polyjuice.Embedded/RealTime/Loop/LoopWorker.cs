namespace Polyjuice.Embedded.RealTime;

/// <summary>A thread that runs loops, one batch after the other.</summary>
internal sealed class LoopWorker
{
    /// <summary>Rounds of looking for work before it sleeps.</summary>
    public const int LookRounds = 200;

    /// <summary>It does not sleep for less than this, in microseconds.</summary>
    public const long SleepMicrosecondsMin = 1_000;

    /// <summary>It does not sleep longer than this, in milliseconds.</summary>
    public const int SleepMillisecondsMax = 1_000;

    private readonly LoopWorkers _workers;
    private readonly Thread _thread;

    // Odd while it runs a batch.
    private long _step;
    private long _stepSeen;
    private readonly ManualResetEventSlim _wakeUp = new(false, spinCount: 0);

    public LoopWorker(LoopWorkers workers, int place, int number)
    {
        _workers = workers;
        Place = place;
        _thread = new Thread(Run) { Name = $"polyjuice worker {number}", IsBackground = true };
    }

    /// <summary>When it wakes up for timers, on the clock, while it sleeps as the timekeeper. Under the workers' lock.</summary>
    public long WakesAt { get; set; } = long.MaxValue;

    /// <summary>Whose loops it runs first: those that ran there last.</summary>
    public int Place { get; }

    /// <summary>Whether it was in the same batch at the last two checks. Under the workers' lock.</summary>
    public bool IsBlocked { get; private set; }

    /// <summary>Sees whether it has got on since the last time. Under the workers' lock.</summary>
    public void CheckProgress()
    {
        var step = Volatile.Read(ref _step);
        IsBlocked = step == _stepSeen && step % 2 != 0;
        _stepSeen = step;
    }

    public void Start() => _thread.UnsafeStart();

    /// <summary>From here on, being woken up counts. The worker itself.</summary>
    public void PrepareSleep() => _wakeUp.Reset();

    /// <summary>Waits until somebody wakes it up, or so long. The worker itself.</summary>
    public void Sleep(int milliseconds) => _wakeUp.Wait(milliseconds);

    /// <summary>Any thread.</summary>
    public void WakeUp() => _wakeUp.Set();

    private void Run()
    {
        var nobodys = ExecutionContext.Capture()!;
        while (_workers.Take(this) is { } taken)
        {
            for (RealTimeLoop? loop = taken; loop is not null;)
            {
                loop.Place = Place;
                Volatile.Write(ref _step, _step + 1);
                var now = loop.RunBatch(out var isReady);
                Volatile.Write(ref _step, _step + 1);

                // What one loop's work left in the context of the thread is nothing to another.
                ExecutionContext.Restore(nobodys);
                loop = _workers.Next(this, loop, isReady, now);
            }
        }
    }
}
