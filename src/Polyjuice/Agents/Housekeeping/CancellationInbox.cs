using System.Collections.Concurrent;

namespace Polyjuice.Agents;

/// <summary>
/// Whose callers have cancelled. Callers do so on threads of their own; the engine asks in its ticks, and never asks
/// each of those that can be cancelled.
/// </summary>
/// <remarks>Turn only, but for what callers' tokens do.</remarks>
internal sealed class CancellationInbox<T>
    where T : class
{
    private readonly ConcurrentQueue<T> _cancelled = new();
    private readonly Dictionary<T, CancellationTokenRegistration> _watched = new(ReferenceEqualityComparer.Instance);

    /// <summary>How many are watched.</summary>
    public int Count => _watched.Count;

    /// <summary>From now on it is found by <see cref="TryTake"/> when its caller cancels, or has.</summary>
    public void Watch(T item, CancellationToken token)
    {
        if (!token.CanBeCanceled || _watched.ContainsKey(item)) return;
        _watched.Add(item, default);
        _watched[item] = token.UnsafeRegister(static state => Cancelled(state!), (this, item));
    }

    /// <summary>It has ended; nothing if it is not watched.</summary>
    public void Forget(T item)
    {
        // Not disposed: that would wait for a caller that is just cancelling.
        if (_watched.Count > 0 && _watched.Remove(item, out var registration)) registration.Unregister();
    }

    /// <summary>The next of those that were cancelled since they are watched, and have not ended.</summary>
    public bool TryTake([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out T? item)
    {
        while (_cancelled.TryDequeue(out item))
        {
            if (_watched.ContainsKey(item)) return true;
        }

        return false;
    }

    private static void Cancelled(object state)
    {
        var (inbox, item) = ((CancellationInbox<T>, T))state;
        inbox._cancelled.Enqueue(item);
    }
}
