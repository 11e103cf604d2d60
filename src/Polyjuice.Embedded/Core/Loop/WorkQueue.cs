namespace Polyjuice.Embedded.Core;

/// <summary>Something to run on a loop: a callback and what it gets. A struct with a cached delegate, so that queueing allocates nothing.</summary>
internal readonly record struct Work(SendOrPostCallback Callback, object? State);

/// <summary>A growing ring of work. Not thread-safe.</summary>
internal sealed class WorkQueue
{
    private Work[] _items = new Work[64];
    private int _head;

    public int Count { get; private set; }

    public void Enqueue(Work work)
    {
        if (Count == _items.Length) Grow();
        _items[(_head + Count) & (_items.Length - 1)] = work;
        Count++;
    }

    public Work Dequeue()
    {
        ref var slot = ref _items[_head];
        var work = slot;
        slot = default;
        _head = (_head + 1) & (_items.Length - 1);
        Count--;
        return work;
    }

    private void Grow()
    {
        var larger = new Work[_items.Length * 2];
        for (var i = 0; i < Count; i++) larger[i] = _items[(_head + i) & (_items.Length - 1)];
        _items = larger;
        _head = 0;
    }
}
