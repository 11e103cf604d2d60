using Polyjuice.Embedded.Core;

namespace Polyjuice.Embedded.RealTime;

/// <summary>Work that is due later: a binary heap by due time, first come first served at equal times. Not thread-safe.</summary>
internal sealed class TimerHeap
{
    private readonly PriorityQueue<Work, (long Due, long Order)> _heap = new();
    private long _order;
    private long _nextDue = long.MaxValue;

    /// <summary>When the earliest is due, or <see cref="long.MaxValue"/>.</summary>
    public long NextDue => _nextDue;

    public void Add(long due, Work work)
    {
        _heap.Enqueue(work, (due, _order++));
        if (due < _nextDue) _nextDue = due;
    }

    /// <summary>Moves what is due to a queue.</summary>
    public void MoveDue(long now, WorkQueue queue)
    {
        while (_nextDue <= now)
        {
            queue.Enqueue(_heap.Dequeue());
            _nextDue = _heap.TryPeek(out _, out var next) ? next.Due : long.MaxValue;
        }
    }
}
