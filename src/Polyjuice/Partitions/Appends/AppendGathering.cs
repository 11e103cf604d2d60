namespace Polyjuice.Partitions;

/// <summary>
/// Whether a log's next append had better wait a little, because those whom the last one has answered will be back in a
/// moment, and whoever comes right after an append has begun waits for nearly two of them. Group commit by itself
/// settles in that: half of the callers wait for one append while the other half is in the next, and each takes two
/// appends' time.
/// </summary>
/// <remarks>
/// A window of a fraction of an append's own time is looked at from the moment when an append could go out. What
/// holding it back costs is that fraction for each who waits already; what it gains is nearly an append's time for each
/// who comes within the window. Both are measured whether it is held back or not, so that it is as soon as it pays, and
/// no longer: a single caller, and callers with long pauses, never wait. The idea is that of <c>commit_delay</c> and
/// <c>commit_siblings</c> in PostgreSQL, which are set by hand there. Not thread-safe. Times are microseconds of the
/// host's clock.
/// </remarks>
internal sealed class AppendGathering
{
    /// <summary>A window is an append's time divided by this.</summary>
    private const int Fraction = 5;

    /// <summary>
    /// Of a new measurement, in averages of appends' times and of what windows gain and cost: one in so many.
    /// </summary>
    private const int Smoothing = 4;

    private readonly long _appendMin;
    private double _append;
    private double _present;
    private double _late;
    private long _began;
    private long _until;
    private int _presentNow;
    private int _lateNow;

    /// <param name="appendMinMicroseconds">Below this, an append is over before a timer would be.</param>
    public AppendGathering(long appendMinMicroseconds) => _appendMin = appendMinMicroseconds;

    /// <summary>Until when an append is held back, or 0.</summary>
    public long HeldUntil { get; private set; }

    /// <summary>Somebody waits for an append from now on.</summary>
    public void Arrived(long now)
    {
        if (_until > 0 && now <= _until) _lateNow++;
    }

    /// <summary>An append could go out, and none is under way.</summary>
    /// <param name="now">The time.</param>
    /// <param name="waiting">How many wait for it.</param>
    /// <returns>
    /// Whether to wait until <see cref="HeldUntil"/>, and to ask again then or when it can't wait any longer.
    /// </returns>
    public bool Holds(long now, int waiting)
    {
        if (HeldUntil > 0)
        {
            if (now < HeldUntil) return true;
            HeldUntil = 0;
            Measure();
            return false;
        }

        if (_until > 0) Measure();
        if (_append < _appendMin) return false;
        _until = now + (long)(_append / Fraction);
        _presentNow = waiting;
        if (_late * Fraction <= _present) return false;
        HeldUntil = _until;
        return true;
    }

    /// <summary>It goes out now, whatever it was held back for.</summary>
    public void Began(long now)
    {
        HeldUntil = 0;
        _began = now;
    }

    /// <summary>It has been answered.</summary>
    public void Ended(long now) => _append += (now - _began - _append) / Smoothing;

    private void Measure()
    {
        _present += (_presentNow - _present) / Smoothing;
        _late += (_lateNow - _late) / Smoothing;
        _until = 0;
        _lateNow = 0;
    }
}
