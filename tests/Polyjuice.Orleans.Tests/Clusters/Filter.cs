using System.Collections.Concurrent;
using Orleans;

namespace Polyjuice.Orleans.Tests.Clusters;

/// <summary>
/// A filter that does as a test says around calls of one method, and nothing around others. Thread-safe.
/// </summary>
public sealed class Filter : IIncomingGrainCallFilter, IOutgoingGrainCallFilter
{
    private readonly ConcurrentDictionary<string, Func<IGrainCallContext, Task>> _on = new(StringComparer.Ordinal);
    private int _calls;

    /// <summary>Around how many calls it has done something.</summary>
    public int Calls => Volatile.Read(ref _calls);

    public void On(string method, Func<IGrainCallContext, Task> filter) => _on[method] = filter;

    public void Clear()
    {
        _on.Clear();
        Volatile.Write(ref _calls, 0);
    }

    public Task Invoke(IIncomingGrainCallContext context) => InvokeAsync(context);

    public Task Invoke(IOutgoingGrainCallContext context) => InvokeAsync(context);

    private Task InvokeAsync(IGrainCallContext context)
    {
        if (!_on.TryGetValue(context.MethodName, out var filter)) return context.Invoke();
        Interlocked.Increment(ref _calls);
        return filter(context);
    }
}
