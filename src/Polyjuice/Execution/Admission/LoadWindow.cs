namespace Polyjuice.Execution;

/// <summary>What happened while one limit was in force. A mutable struct.</summary>
/// <param name="start">When it began, in microseconds.</param>
/// <param name="settling">Attempts that were running then: they say more about the limit before, and do not count when they end.</param>
/// <param name="care">How many times as much it is to see as the least that says anything.</param>
internal struct LoadWindow(long start, int settling, int care)
{
    private const int CommitsMin = 96;
    private const int ConflictsMin = 192;
    private const long MicrosecondsMin = 4_000;

    private readonly int _commitsMin = CommitsMin * care;
    private long _start = start;
    private int _settling = settling;
    private int _ended;
    private int _conflicts;

    /// <summary>The most that ran at a time.</summary>
    public int Peak;

    /// <summary>Whether an attempt had to wait: the limit is what bounds the load.</summary>
    public bool IsBinding;

    /// <summary>The share of attempts that conflicts aborted.</summary>
    public readonly double Share => _ended == 0 ? 0 : (double)_conflicts / _ended;

    /// <summary>An attempt has ended; says whether the window has seen enough.</summary>
    public bool Ended(bool isConflict, long now)
    {
        if (_settling > 0)
        {
            if (--_settling == 0) _start = now;
            return false;
        }

        _ended++;
        if (isConflict) _conflicts++;

        // As many commits as give a rate to about a tenth, or more exactly; if nearly all fail, that is known sooner.
        var commits = _ended - _conflicts;
        var isEnough = commits >= _commitsMin || (_conflicts >= ConflictsMin && _conflicts >= 3 * commits);
        return isEnough && now - _start >= MicrosecondsMin;
    }

    /// <summary>
    /// What a limit is worth: attempts a second that no conflict aborted, times the share of attempts that these are.
    /// </summary>
    public readonly double WorthAt(long now) => (_ended - _conflicts) * 1e6 / Math.Max(1, now - _start) * (1 - Share);
}
