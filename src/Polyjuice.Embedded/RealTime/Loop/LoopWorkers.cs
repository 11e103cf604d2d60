namespace Polyjuice.Embedded.RealTime;

/// <summary>
/// The threads that run the real-time loops of the process: as many as there are processors. A worker takes the first of the <see cref="ReadyLoops"/> at its place, runs a batch of it, and puts it back if there is more to do. Thread-safe.
/// </summary>
/// <remarks>
/// A worker without work looks for some for a short while and then sleeps. Who makes a loop ready wakes a sleeper only if nobody is looking: the rule of Go's scheduler, because to wake a thread costs its waker as much as a few grain calls.
/// A grain whose code blocks its thread takes a worker away. <see cref="LoopMonitor"/> sees that, and that loops have to wait, and has one added, at the most one for each loop. As soon as no more are blocked than were added, those that are too many end, however much there is to do:
/// with more threads than processors it is the system's choice again which loop waits, and for how long. Loops may have to wait for other reasons, a garbage collection or too much load; no worker is of any help there.
/// </remarks>
internal sealed class LoopWorkers
{
    /// <summary>How long a client's loop lets those of silos go first, in microseconds: about two batches.</summary>
    private const long ClientPatience = 30;

    private static readonly Lazy<LoopWorkers> s_shared = new(static () => new(Environment.ProcessorCount, ClientPatience));

    private readonly Lock _gate = new();
    private readonly ReadyLoops _ready;
    private readonly List<RealTimeLoop> _loops = [];
    private readonly List<LoopWorker> _all = [];
    private readonly List<LoopWorker> _asleep = [];
    private readonly LoopMonitor? _monitor;
    private readonly int _usual;
    private readonly int _lookingMax;
    private int _surplus;
    private int _asleepCount;
    private int _looking;
    private int _numbered;
    private int _placed;
    private LoopWorker? _timekeeper;
    private long _nextDue = long.MaxValue;

    /// <summary>Creates them; threads are started as loops come.</summary>
    /// <param name="usual">Workers while no code blocks, at least 1.</param>
    /// <param name="clientPatience">How long a client's loop lets those of silos go first, in microseconds.</param>
    /// <param name="isWatched">Whether a monitor looks after them. Without one, <see cref="Relieve"/> is the creator's to call.</param>
    public LoopWorkers(int usual, long clientPatience, bool isWatched = true)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(usual, 1);
        _ready = new(usual, clientPatience);
        _usual = usual;
        _lookingMax = Math.Max(2, usual / 4);
        if (isWatched) _monitor = new LoopMonitor(this);
    }

    /// <summary>Those of the process.</summary>
    public static LoopWorkers Shared => s_shared.Value;

    /// <summary>How many threads there are.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _all.Count;
        }
    }

    /// <summary>Whether none of them has anything to do.</summary>
    public bool IsAllAsleep
    {
        get
        {
            lock (_gate) return _asleep.Count == _all.Count;
        }
    }

    /// <summary>A loop starts.</summary>
    public void Add(RealTimeLoop loop)
    {
        lock (_gate)
        {
            _loops.Add(loop);
            if (_all.Count < Math.Min(_usual, _loops.Count)) AddWorker();
            loop.Place = _placed++ % Math.Min(_usual, _all.Count);
        }

        _monitor?.Attend();
    }

    /// <summary>A loop has ended.</summary>
    public void Remove(RealTimeLoop loop)
    {
        lock (_gate) _loops.Remove(loop);
    }

    /// <summary>A loop has become ready: a worker will take it.</summary>
    public void Enqueue(RealTimeLoop loop)
    {
        _ready.Add(loop);
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _asleepCount) > 0 && Volatile.Read(ref _looking) == 0) WakeOne(loop.Place);
    }

    /// <summary>A loop has become idle, with its earliest timer due then.</summary>
    public void NoteDue(long due)
    {
        var known = Volatile.Read(ref _nextDue);
        while (due < known)
        {
            var before = Interlocked.CompareExchange(ref _nextDue, due, known);
            if (before == known) return;
            known = before;
        }
    }

    /// <summary>Makes loops ready whose timers are due.</summary>
    public void MakeDueReady(long now)
    {
        if (Volatile.Read(ref _nextDue) > now) return;

        // Under the lock, so that no worker falls asleep for ever because it is forgotten just then.
        lock (_gate)
        {
            // Forgotten first: a loop that becomes idle meanwhile says so after that, or is seen to be idle here.
            Interlocked.Exchange(ref _nextDue, long.MaxValue);
            var next = long.MaxValue;
            foreach (var loop in _loops) next = Math.Min(next, loop.MakeReadyIfDue(now));
            NoteDue(next);
        }
    }

    /// <summary>Looks after what workers that are blocked leave undone, and lets those go that are not needed for that any longer. Called again and again, by one thread: a worker is blocked that has been in the same batch since it was called before.</summary>
    /// <param name="now">The clock.</param>
    /// <param name="patience">How long a loop may be ready before there are too few workers, in microseconds.</param>
    /// <param name="wasHeldUp">Whether the caller itself was held up for so long that what workers have not done since tells nothing: by a garbage collection, or because the machine had no processor for it.</param>
    public void Relieve(long now, long patience, bool wasHeldUp)
    {
        MakeDueReady(now);
        var isWaiting = _ready.LongestWait(now) >= patience;
        if (isWaiting && Volatile.Read(ref _asleepCount) > 0) WakeOne();
        lock (_gate)
        {
            foreach (var worker in _all) worker.CheckProgress();
            if (wasHeldUp) return;
            var free = _all.Count(static worker => !worker.IsBlocked);
            Volatile.Write(ref _surplus, Math.Max(0, free - _usual));
            if (isWaiting && free < _usual && _asleep.Count == 0 && _all.Count < _loops.Count) AddWorker();
        }
    }

    /// <summary>The next loop to run, for a worker, once there is one.</summary>
    /// <returns><see langword="null"/> if the worker is not needed any more.</returns>
    public RealTimeLoop? Take(LoopWorker worker)
    {
        while (true)
        {
            if (EndsAsSurplus(worker)) return null;
            if (_ready.TryTake(worker.Place, out var loop) || (loop = Look(worker)) is not null) return loop;
            if (!Sleep(worker)) return null;
        }
    }

    /// <summary>After a batch: the loop that its worker runs next, or <see langword="null"/> if none is ready.</summary>
    /// <param name="worker">Who has run a batch.</param>
    /// <param name="loop">The one that it ran.</param>
    /// <param name="isReady">Whether there is more to do for that.</param>
    /// <param name="now">The clock.</param>
    public RealTimeLoop? Next(LoopWorker worker, RealTimeLoop loop, bool isReady, long now)
    {
        MakeDueReady(now);
        if (isReady) _ready.Add(loop);
        return Volatile.Read(ref _surplus) == 0 && _ready.TryTake(worker.Place, out var next) ? next : null;
    }

    // Whoever comes first of those that are too many.
    private bool EndsAsSurplus(LoopWorker worker)
    {
        if (Volatile.Read(ref _surplus) == 0) return false;
        lock (_gate)
        {
            if (_surplus == 0 || !SharesItsPlace(worker)) return false;
            RemoveWorker(worker);
        }

        // What it has put back is the others' to run, which may all be asleep.
        if (!_ready.IsEmpty && Volatile.Read(ref _asleepCount) > 0 && Volatile.Read(ref _looking) == 0) WakeOne();
        return true;
    }

    // Looks for work for a while: most often another loop has some within microseconds.
    private RealTimeLoop? Look(LoopWorker worker)
    {
        if (Interlocked.Increment(ref _looking) > _lookingMax)
        {
            Interlocked.Decrement(ref _looking);
            return null;
        }

        RealTimeLoop? found;
        for (var round = 0; !_ready.TryTake(worker.Place, out found); round++)
        {
            var due = Volatile.Read(ref _nextDue);
            if (due != long.MaxValue || round >= LoopWorker.LookRounds)
            {
                var now = Clock.UtcMicroseconds;
                MakeDueReady(now);

                // To sleep is only as exact as the system's timer; for what is due sooner than that, it goes on looking.
                if (round >= LoopWorker.LookRounds && due - now >= LoopWorker.SleepMicrosecondsMin) break;
            }

            if (round < 8) Thread.SpinWait(20);
            else Thread.Yield();
        }

        // Who added a loop meanwhile saw somebody looking, and woke nobody: that is left to the last one that looked. One that found nothing looks once more before it sleeps.
        if (Interlocked.Decrement(ref _looking) == 0 && found is not null && !_ready.IsEmpty && Volatile.Read(ref _asleepCount) > 0) WakeOne();
        return found;
    }

    private bool Sleep(LoopWorker worker)
    {
        worker.PrepareSleep();
        int milliseconds;
        lock (_gate)
        {
            // Those that are blocked do not count: as many as usual sleep already.
            if (_asleep.Count >= _usual && _ready.IsEmpty && SharesItsPlace(worker))
            {
                RemoveWorker(worker);
                return false;
            }

            // One of those that sleep wakes up for timers.
            milliseconds = Timeout.Infinite;
            var due = Volatile.Read(ref _nextDue);
            if (due != long.MaxValue && (_timekeeper is null || due < _timekeeper.WakesAt))
            {
                if (_timekeeper is not null) _timekeeper.WakesAt = long.MaxValue;
                _timekeeper = worker;
                worker.WakesAt = due;
                milliseconds = (int)Math.Clamp((due - Clock.UtcMicroseconds) / 1_000, 1, LoopWorker.SleepMillisecondsMax);
            }

            _asleep.Add(worker);
            Volatile.Write(ref _asleepCount, _asleep.Count);
        }

        Interlocked.MemoryBarrier();
        if (_ready.IsEmpty) worker.Sleep(milliseconds);
        WakeUp(worker);
        _monitor?.Attend();
        return true;
    }

    // It may have been taken from the sleepers by who woke it, or not.
    private void WakeUp(LoopWorker worker)
    {
        lock (_gate)
        {
            if (ReferenceEquals(_timekeeper, worker)) _timekeeper = null;
            if (_asleep.Remove(worker)) Volatile.Write(ref _asleepCount, _asleep.Count);
        }
    }

    // One of that place, if one sleeps; else who fell asleep last.
    private void WakeOne(int place = -1)
    {
        LoopWorker worker;
        lock (_gate)
        {
            if (_asleep.Count == 0) return;
            var at = _asleep.FindLastIndex(other => other.Place == place);
            if (at < 0) at = _asleep.Count - 1;
            worker = _asleep[at];
            _asleep.RemoveAt(at);
            Volatile.Write(ref _asleepCount, _asleep.Count);
        }

        worker.WakeUp();
    }

    private void AddWorker()
    {
        // Where fewest can run what is ready there.
        var place = Enumerable.Range(0, _usual).MinBy(place => _all.Count(other => other.Place == place && !other.IsBlocked));
        var worker = new LoopWorker(this, place, ++_numbered);
        _all.Add(worker);
        worker.Start();
    }

    private bool SharesItsPlace(LoopWorker worker) => _all.Count(other => other.Place == worker.Place) > 1;

    private void RemoveWorker(LoopWorker worker)
    {
        _all.Remove(worker);

        // Whyever it ends, it is one too many less.
        if (_surplus > 0) _surplus--;
    }
}
