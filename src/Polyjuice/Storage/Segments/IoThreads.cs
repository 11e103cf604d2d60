namespace Polyjuice.Storage;

/// <summary>
/// A few threads that may block on a disk: neither a silo's thread nor the
/// process's pool, whose few threads everything else needs. Thread-safe.
/// </summary>
/// <remarks>
/// A thread without work sleeps at once: one that looked for more for a
/// while would take the processor from the silos that are to bring it.
/// </remarks>
internal sealed class IoThreads : IDisposable
{
    private readonly object _gate = new();
    private readonly Queue<Action> _work = [];
    private readonly Thread[] _threads;
    private int _asleep;
    private bool _isEnding;

    /// <summary>Starts them.</summary>
    /// <param name="count">At least 1.</param>
    public IoThreads(int count)
    {
        _threads = new Thread[count];
        for (var i = 0; i < count; i++)
        {
            _threads[i] = new Thread(Run) { IsBackground = true, Name = $"polyjuice logs {i}" };
            _threads[i].Start();
        }
    }

    /// <summary>
    /// Runs an action on one of them; does nothing once they have ended, as a process does that has ended.
    /// </summary>
    public void Post(Action action)
    {
        lock (_gate)
        {
            if (_isEnding) return;
            _work.Enqueue(action);
            if (_asleep > 0) Monitor.Pulse(_gate);
        }
    }

    /// <summary>Ends them when what was posted has run.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isEnding = true;
            Monitor.PulseAll(_gate);
        }

        foreach (var thread in _threads)
        {
            if (thread != Thread.CurrentThread) thread.Join();
        }
    }

    private void Run()
    {
        while (Next() is { } action) action();
    }

    private Action? Next()
    {
        lock (_gate)
        {
            while (_work.Count == 0)
            {
                if (_isEnding) return null;
                _asleep++;
                Monitor.Wait(_gate);
                _asleep--;
            }

            return _work.Dequeue();
        }
    }
}
