using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded.RealTime;

/// <summary>
/// Work that other threads hand to a loop. Producers add to a list under a short lock; the consumer swaps the list for an
/// empty one, so it takes the lock once per batch.
/// </summary>
internal sealed class Inbox
{
    private readonly Lock _gate = new();
    private List<Work> _filling = new(64);
    private List<Work> _drained = new(64);
    private volatile int _count;
    private bool _isClosed;

    /// <summary>Whether there is work; may be read by anyone.</summary>
    public bool HasWork => _count > 0;

    /// <summary>Adds work. Any thread.</summary>
    /// <returns>False when the consumer has ended.</returns>
    public bool Post(Work work)
    {
        lock (_gate)
        {
            if (_isClosed) return false;
            _filling.Add(work);
            _count = _filling.Count;
        }

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
}
