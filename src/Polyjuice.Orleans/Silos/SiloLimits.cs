using Orleans.Configuration;

namespace Polyjuice.Orleans.Silos;

/// <summary>How long calls, transactions and accesses may take on this silo. Immutable.</summary>
/// <param name="options">The silo's options.</param>
/// <param name="responseTimeout">How long callers wait for answers by default.</param>
internal sealed class SiloLimits(PolyjuiceOptions options, TimeSpan responseTimeout)
{
    /// <summary>How long callers wait for answers by default.</summary>
    public TimeSpan ResponseTimeout => responseTimeout;

    /// <summary>How long an access may hold a grain that is not reentrant.</summary>
    public long NonReentrantWaitMicroseconds => (long)options.NonReentrantWait.TotalMicroseconds;

    /// <summary>Whether methods without <see cref="ReconnaissanceAttribute"/> may be run dry, too.</summary>
    public bool DryRunsByDefault => options.Engine.DryRunsByDefault;

    /// <summary>The bound on a transaction, in microseconds: retries end before its caller gives up.</summary>
    /// <param name="methodTimeout">The method's own, if it has one.</param>
    public long TransactionTimeout(TimeSpan? methodTimeout)
    {
        var timeout = methodTimeout ?? responseTimeout;
        var bound = timeout <= TimeSpan.Zero ? long.MaxValue : (long)(timeout.TotalMicroseconds * 0.9);
        return Math.Min(options.Engine.TransactionTimeoutMicroseconds, Math.Max(bound, 1));
    }
}
