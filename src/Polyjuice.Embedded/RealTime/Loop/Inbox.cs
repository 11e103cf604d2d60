using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded.RealTime;

/// <summary>
/// Work that other threads hand to a loop. Producers add to a list under a short lock; the consumer swaps the list for an
/// empty one, so it takes the lock once per batch.
/// </summary>
/// <remarks>
/// No wake-up is lost: a producer adds first and then looks whether the consumer is parked; the consumer says that it is
/// parked first and then looks whether there is work. Both are full fences, so one of the two sees the other.
/// </remarks>
internal sealed class Inbox
{
    private readonly Lock _gate = new();
    private readonly ManualResetEventSlim _wakeUp = new(false, spinCount: 0);
    private List<Work> _filling = new(64);
    private List<Work> _drained = new(64);
    private volatile int _count;
    private int _isParked;
    private long _woken;
    private bool _isClosed;

    /// <summary>Whether there is work; may be read by anyone.</summary>
    public bool HasWork => _count > 0;

    /// <summary>Adds work and wakes the consumer.</summary>
    /// <returns>False when the consumer has ended.</returns>
    public bool Post(Work work)
    {
        lock (_gate)
        {
            if (_isClosed) return false;
            _filling.Add(work);
            _count = _filling.Count;
        }

        Wake();
        return true;
    }

    /// <summary>Refuses work from now on, and moves what is left to a queue. Consumer only.</summary>
    public void Close(WorkQueue queue)
    {
        lock (_gate)
        {
            _isClosed = true;
            foreach (var work in _filling) queue.Enqueue(work);
            _filling.Clear();
            _count = 0;
        }
    }

    /// <summary>Wakes the consumer if it is parked.</summary>
    public void Wake()
    {
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _isParked) == 0 || Interlocked.Exchange(ref _isParked, 0) == 0) return;
        Volatile.Write(ref _woken, Clock.UtcMicroseconds);
        _wakeUp.Set();
    }

    /// <summary>When the consumer was woken, if it was since this was asked the last time; otherwise 0. Consumer only.</summary>
    public long TakeWoken()
    {
        var woken = Volatile.Read(ref _woken);
        if (woken != 0) Volatile.Write(ref _woken, 0);
        return woken;
    }

    /// <summary>Moves all work to the loop's own queue. Consumer only.</summary>
    public void DrainTo(WorkQueue queue)
    {
        if (_count == 0) return;
        List<Work> batch;
        lock (_gate)
        {
            batch = _filling;
            _filling = _drained;
            _count = 0;
        }

        foreach (var work in batch) queue.Enqueue(work);
        batch.Clear();
        _drained = batch;
    }

    /// <summary>Waits for work or a <see cref="Wake"/>, at most that long, unless the loop was told to stop. Consumer only.</summary>
    public void Park(int milliseconds, NodeLoop loop)
    {
        _wakeUp.Reset();
        Interlocked.Exchange(ref _isParked, 1);
        if (_count == 0 && !loop.IsStopped) _wakeUp.Wait(milliseconds);
        Interlocked.Exchange(ref _isParked, 0);
    }
}
