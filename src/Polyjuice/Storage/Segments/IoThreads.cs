using System.Collections.Concurrent;

namespace Polyjuice.Storage;

/// <summary>
/// A few threads that may block on a disk: neither a silo's thread nor the process's pool, whose few threads everything else needs. Thread-safe.
/// </summary>
internal sealed class IoThreads : IDisposable
{
    private readonly BlockingCollection<Action> _work = [];
    private readonly Thread[] _threads;

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

    /// <summary>Runs an action on one of them; does nothing once they have ended, as a process does that has ended.</summary>
    public void Post(Action action)
    {
        try
        {
            _work.Add(action);
        }
        catch (Exception exception) when (exception is InvalidOperationException or ObjectDisposedException)
        {
        }
    }

    /// <summary>Ends them when what was posted has run.</summary>
    public void Dispose()
    {
        _work.CompleteAdding();
        foreach (var thread in _threads)
        {
            if (thread != Thread.CurrentThread) thread.Join();
        }

        _work.Dispose();
    }

    private void Run()
    {
        foreach (var action in _work.GetConsumingEnumerable()) action();
    }
}
