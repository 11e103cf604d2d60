using Polyjuice.Contracts;

namespace Polyjuice.Wire;

/// <summary>
/// A hybrid logical clock (Kulkarni et al., 2014): wall-clock
/// microseconds above <see cref="LogicalBits"/> bits of counter.
/// </summary>
/// <remarks>
/// Rule R2 breaks ties by transaction id. Here no tie ever needs breaking: every order that a participant enforces (a
/// write after a read, a write after a write, a read after a write) is strict in the timestamps, so two transactions
/// with equal timestamps are never ordered relative to each other, directly or through others.
/// </remarks>
internal sealed class HybridClock(IEngineHost host, long maxSkewMicroseconds)
{
    internal const int LogicalBits = 8;

    private long _last;

    /// <summary>A timestamp above every one that this node has produced or accepted.</summary>
    public long Tick() => _last = Math.Max(_last + 1, host.UtcMicroseconds << LogicalBits);

    /// <summary>The largest timestamp produced or accepted so far.</summary>
    public long Last => _last;

    /// <summary>The wall clock alone, as a timestamp.</summary>
    public long Physical => host.UtcMicroseconds << LogicalBits;

    /// <summary>
    /// Takes another node's timestamp into account; refuses one that leads by more than the configured skew.
    /// </summary>
    public bool TryAccept(long timestamp)
    {
        if (timestamp <= _last) return true;
        if (timestamp > (host.UtcMicroseconds + maxSkewMicroseconds) << LogicalBits) return false;
        _last = timestamp;
        return true;
    }

    /// <summary>Raises the clock to a timestamp that this node itself has chosen or ordered.</summary>
    public void Raise(long timestamp) => _last = Math.Max(_last, timestamp);

    /// <summary>How many microseconds until the wall clock has passed a timestamp; 0 when it has.</summary>
    public long MicrosecondsUntil(long timestamp) => Math.Max(0, (timestamp >> LogicalBits) + 1 - host.UtcMicroseconds);
}
