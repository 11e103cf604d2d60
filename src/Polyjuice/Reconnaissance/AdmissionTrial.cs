namespace Polyjuice.Reconnaissance;

/// <summary>
/// Whether the transactions of one type commit faster at this node when they reserve, found out by trying: a while with reservations is compared with the one before without, and what commits more is kept until the next comparison. Those
/// become rare while nothing changes. Turn only.
/// </summary>
/// <remarks>
/// A share of conflicts cannot tell: where attempts are cheap and how many run at a time is bounded (<see cref="Execution.ConflictLimit"/>), a third of them may fail and still more commit than of those that are run twice. That bound
/// has to find its place anew whenever reservations end, so to run without them is given more time before it is measured.
/// </remarks>
/// <param name="now">On the host's clock, in microseconds.</param>
internal sealed class AdmissionTrial(long now)
{
    /// <summary>Commits of a window, whose rate is measured.</summary>
    public const int WindowCommits = 128;

    /// <summary>Bound on a window in which fewer commit.</summary>
    public const long WindowMicroseconds = 200_000;

    /// <summary>Windows after a change that do not count: what was begun before ends in them.</summary>
    public const int SettleReserving = 2;

    /// <summary>The same without reservations.</summary>
    public const int SettleRunning = 8;

    /// <summary>Windows that are measured.</summary>
    public const int Measured = 4;

    /// <summary>Windows between two comparisons, at first; twice as many after each that has changed nothing.</summary>
    public const int RestMin = 16;

    /// <summary>The same, at the most.</summary>
    public const int RestMax = 512;

    /// <summary>What is tried is kept if it commits so many times as much.</summary>
    public const double Gain = 1.05;

    private long _start = now;
    private int _commits;
    private int _windows;
    private int _measured;
    private double _rate;
    private double _before;
    private bool _isComparing;
    private int _rest;
    private int _restAfter = RestMin;

    /// <summary>Whether transactions reserve now.</summary>
    public bool IsReserving { get; private set; }

    /// <summary>An attempt has ended.</summary>
    /// <param name="hasCommitted">Whether it has committed.</param>
    /// <param name="mayReserve">Whether it is worth trying to reserve, if none do.</param>
    /// <param name="now">On the host's clock, in microseconds.</param>
    /// <returns>Whether <see cref="IsReserving"/> has changed.</returns>
    public bool Ended(bool hasCommitted, bool mayReserve, long now)
    {
        if (hasCommitted) _commits++;
        if (_commits < WindowCommits && now - _start < WindowMicroseconds) return false;
        var rate = _commits * 1e6 / Math.Max(1, now - _start);
        (_commits, _start) = (0, now);
        if (++_windows <= (IsReserving ? SettleReserving : SettleRunning)) return false;
        _measured = Math.Min(_measured + 1, Measured);
        _rate += (rate - _rate) / _measured;
        if (_measured < Measured) return false;
        if (_isComparing) return Compare();
        if (_rest > 0) _rest--;
        else if (IsReserving || mayReserve) return Try();
        return false;
    }

    private bool Try()
    {
        _before = _rate;
        _isComparing = true;
        Change();
        return true;
    }

    private bool Compare()
    {
        _isComparing = false;
        if (_rate > Gain * _before)
        {
            _rest = _restAfter = RestMin;
            return false;
        }

        _rest = _restAfter;
        _restAfter = Math.Min(2 * _restAfter, RestMax);
        Change();
        return true;
    }

    private void Change()
    {
        IsReserving = !IsReserving;
        (_windows, _measured, _rate) = (0, 0, 0);
    }
}
