namespace Polyjuice.Orleans.Turns;

/// <summary>
/// What an engine does later. Whoever enters or leaves the turn also runs what is due; one timer of the system sees to
/// it when nobody comes. That one counts in milliseconds and the engine in microseconds: an idle engine is late by up
/// to one, a busy one is not. On the turn only.
/// </summary>
internal sealed class TurnTimers : IDisposable
{
    private readonly PriorityQueue<Work, (long Due, long Order)> _heap = new();
    private readonly Timer _timer;
    private long _order;
    private long _armedFor = long.MaxValue;
    private bool _hasFired;
    private bool _isDisposed;

    /// <summary>Creates it.</summary>
    /// <param name="due">Called on any thread when something is due.</param>
    public TurnTimers(Action due)
    {
        // A timer keeps the execution context that it was made in: the silo's, and no caller's.
        using (ExecutionContext.SuppressFlow())
            _timer = new Timer(_ => Fire(due), null, Timeout.Infinite, Timeout.Infinite);
    }

    /// <summary>When the earliest is due, or <see cref="long.MaxValue"/>.</summary>
    public long NextDue { get; private set; } = long.MaxValue;

    /// <summary>Adds one.</summary>
    public void Add(long now, long delayMicroseconds, Work work)
    {
        if (_isDisposed) return;
        var due = now + delayMicroseconds;
        _heap.Enqueue(work, (due, _order++));
        if (due >= NextDue) return;
        NextDue = due;
        Arm(now);
    }

    /// <summary>Moves what is due to a queue, and sees to it that what is not will be.</summary>
    public void MoveDue(long now, Queue<Work> queue)
    {
        while (NextDue <= now)
        {
            queue.Enqueue(_heap.Dequeue());
            NextDue = _heap.TryPeek(out _, out var next) ? next.Due : long.MaxValue;
        }

        if (NextDue != long.MaxValue) Arm(now);
    }

    /// <summary>Forgets what is not due yet; nothing is done later any more.</summary>
    public void Dispose()
    {
        _isDisposed = true;
        _heap.Clear();
        NextDue = long.MaxValue;
        _timer.Dispose();
    }

    private void Fire(Action due)
    {
        Volatile.Write(ref _hasFired, true);
        due();
    }

    private void Arm(long now)
    {
        // One that has fired is not armed any more, whether or not anything was due
        // then: what waited for it may have been done by somebody who passed by.
        if (Volatile.Read(ref _hasFired))
        {
            Volatile.Write(ref _hasFired, false);
            _armedFor = long.MaxValue;
        }

        if (_armedFor <= NextDue) return;
        _armedFor = NextDue;
        _timer.Change(Math.Clamp((NextDue - now + 999) / 1_000, 1, int.MaxValue), Timeout.Infinite);
    }
}
