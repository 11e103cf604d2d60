using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Polyjuice.Orleans.States;

/// <summary>Says once for each grain class that is not reentrant that it is slow as it is. Thread-safe.</summary>
internal sealed class ReentrancyHints(ILogger logger)
{
    private readonly ConcurrentDictionary<Type, bool> _hinted = new();

    /// <summary>An access to a state of such a class waits.</summary>
    public void Waits(Type grainClass)
    {
        if (_hinted.TryAdd(grainClass, true)) HostLog.NotReentrant(logger, grainClass);
    }
}
