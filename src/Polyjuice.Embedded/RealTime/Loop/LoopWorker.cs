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
    private bool _isLooking;

    // Odd while it runs a batch.
    private long _step;
    private long _stepSeen;
    private readonly ManualResetEventSlim _wakeUp = new(false, spinCount: 0);

    public LoopWorker(LoopWorkers workers, int number)
    {
        _workers = workers;
        _thread = new Thread(Run) { Name = $"polyjuice worker {number}", IsBackground = true };
    }

    /// <summary>When it wakes up for timers, on the clock, while it sleeps as the timekeeper. Under the workers' lock.</summary>
    public long WakesAt { get; set; } = long.MaxValue;

    /// <summary>Whether it looks for work just now. Any thread.</summary>
    public bool IsLooking
    {
        get => Volatile.Read(ref _isLooking);
        set => Volatile.Write(ref _isLooking, value);
    }

    /// <summary>Whether it is in the batch in which it was when this was called before. One thread at a time.</summary>
    public bool IsInTheSameBatch()
    {
        var (step, seen) = (Volatile.Read(ref _step), _stepSeen);
        _stepSeen = step;
        return step == seen && step % 2 != 0;
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
                loop.Worker = this;
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
