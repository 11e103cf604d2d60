using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// How long ago a version may have been overwritten and still be kept for declared read-only transactions (rule D1).
/// Short, because most snapshots are young and every version kept is memory that the garbage collector copies; a
/// snapshot that comes too late lengthens it, so that its retry finds what it needs, and it shrinks again when none
/// does.
/// </summary>
internal sealed class SnapshotHorizon(long microsecondsMax)
{
    private const long MicrosecondsMin = 50_000;

    /// <summary>A longer horizon is halved after this many times its length without a miss.</summary>
    private const int Patience = 8;

    private long _microseconds = MicrosecondsMin;
    private long _shrinkAt = long.MaxValue;

    /// <summary>How far it reaches back now.</summary>
    public long Microseconds => _microseconds;

    /// <summary>The timestamp at or below which a version that has been overwritten is not kept.</summary>
    /// <param name="now">The host's clock, in microseconds.</param>
    public long CutoffAt(long now)
    {
        if (now >= _shrinkAt)
        {
            _microseconds = Math.Max(MicrosecondsMin, _microseconds / 2);
            _shrinkAt = _microseconds == MicrosecondsMin ? long.MaxValue : now + (_microseconds * Patience);
        }

        return (now - _microseconds) << HybridClock.LogicalBits;
    }

    /// <summary>A snapshot found that its version had been forgotten.</summary>
    /// <param name="snapshot">The snapshot's timestamp.</param>
    /// <param name="now">The host's clock, in microseconds.</param>
    public void Missed(long snapshot, long now)
    {
        var age = now - (snapshot >> HybridClock.LogicalBits);
        if (age <= _microseconds) return;
        _microseconds = Math.Min(age * 2, microsecondsMax);
        _shrinkAt = now + (_microseconds * Patience);
    }
}
