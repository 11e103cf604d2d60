namespace Polyjuice.Agents;

/// <summary>What happened while one limit was in force. A mutable struct.</summary>
/// <param name="start">When it began, in microseconds.</param>
/// <param name="settling">
/// Attempts that were running then: they say more about the limit before, and do not count when they end.
/// </param>
/// <param name="care">How many times as much it is to see as the least that says anything.</param>
internal struct LoadWindow(long start, long settling, int care)
{
    /// <summary>The fewest attempts whose share of conflicts says anything.</summary>
    public const int AttemptsMin = 64;

    private const int CommitsMin = 96;
    private const int ConflictsMin = 192;
    private const long MicrosecondsMin = 50_000;

    // Where attempts take long, as many commits as are wanted would take seconds, in which a bad limit stays.
    private const long MicrosecondsMax = 400_000;
    private const int FewCommits = 32;

    private readonly long _began = start;
    private long _start = start;
    private long _settling = settling;
    private int _ended;
    private int _conflicts;

    /// <summary>The most that ran at a time on one silo.</summary>
    public int Peak;

    /// <summary>Whether an attempt had to wait: the limit is what bounds the load.</summary>
    public bool IsBinding;

    /// <summary>Attempts that have ended.</summary>
    public readonly int Attempts => _ended;

    /// <summary>The share of attempts that conflicts aborted.</summary>
    public readonly double Share => _ended == 0 ? 0 : (double)_conflicts / _ended;

    /// <summary>Attempts have ended.</summary>
    /// <param name="commits">How many that no conflict aborted.</param>
    /// <param name="conflicts">How many that one did.</param>
    /// <param name="now">In microseconds.</param>
    /// <param name="settlingMicroseconds">
    /// For how long at the least what ends says more about the limit before: as long as silos take to hear of a change.
    /// </param>
    public void Ended(int commits, int conflicts, long now, long settlingMicroseconds)
    {
        if (_start == 0) _start = now;
        if (_settling > 0 || now - _began < settlingMicroseconds)
        {
            _settling -= commits + conflicts;
            _start = now;
            return;
        }

        _ended += commits + conflicts;
        _conflicts += conflicts;
    }

    /// <summary>Meanwhile the process stood still, whatever the limit is: that time does not count.</summary>
    public void Stalled(long from, long to)
    {
        if (_start <= from) _start += to - from;
    }

    /// <summary>Whether it has seen enough to be compared with others.</summary>
    /// <remarks>
    /// As many commits as give a rate to about a tenth, or more exactly; if nearly all fail, that is known sooner.
    /// </remarks>
    public readonly bool IsFull(long now)
    {
        var (commits, elapsed) = (_ended - _conflicts, now - _start);
        if (elapsed < MicrosecondsMin) return false;
        return commits >= CommitsMin * care || IsHopeless || (elapsed >= MicrosecondsMax && commits >= FewCommits);
    }

    /// <summary>
    /// Whether it has seen enough to say that conflicts are few, for which nothing has to be compared: as many attempts
    /// as make that likely (two standard deviations), or so many that it does not matter. Under a low limit that was
    /// found out for another load few attempts run, and more of them would take seconds.
    /// </summary>
    public readonly bool IsQuiet(double share, long now) =>
        now - _start >= MicrosecondsMin
        && (_ended >= CommitsMin ? Share <= share : _conflicts + (2 * Math.Sqrt(_conflicts + 1)) <= share * _ended);

    /// <summary>Whether it has seen enough to say that far fewer commit than at another rate.</summary>
    public readonly bool IsFarBelow(double rate, long now) =>
        now - _start >= MicrosecondsMin && _ended >= AttemptsMin && RateAt(now) < rate / 2;

    /// <summary>Attempts a second that no conflict aborted.</summary>
    public readonly double RateAt(long now) => (_ended - _conflicts) * 1e6 / Math.Max(1, now - _start);

    private readonly bool IsHopeless => _conflicts >= ConflictsMin && _conflicts >= 3 * (_ended - _conflicts);
}
