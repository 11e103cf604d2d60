using System.Collections.Concurrent;

namespace Polyjuice.Orleans.Silos;

internal sealed partial class SiloEngine
{
    private readonly ConcurrentDictionary<Type, bool> _hinted = new();

    /// <summary>The bound on a transaction, in microseconds: retries end before its caller gives up.</summary>
    /// <param name="responseTimeout">The method's own, if it has one.</param>
    public long TransactionTimeout(TimeSpan? responseTimeout)
    {
        var timeout = responseTimeout ?? ResponseTimeout;
        var bound = timeout <= TimeSpan.Zero ? long.MaxValue : (long)(timeout.TotalMicroseconds * 0.9);
        return Math.Min(_options.Engine.TransactionTimeoutMicroseconds, Math.Max(bound, 1));
    }

    /// <summary>How long an access may hold a grain that is not reentrant.</summary>
    public long NonReentrantWaitMicroseconds => (long)_options.NonReentrantWait.TotalMicroseconds;

    /// <summary>Says once for each class that it is slow as it is.</summary>
    public void HintNotReentrant(Type grainClass)
    {
        if (_hinted.TryAdd(grainClass, true)) HostLog.NotReentrant(_logger, grainClass);
    }
}
