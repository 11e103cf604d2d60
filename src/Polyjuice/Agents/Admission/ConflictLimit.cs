namespace Polyjuice.Agents;

/// <summary>
/// How many attempts of contended types may run at a time on one silo. More of them than the data can take in parallel
/// only abort each other; how many that is depends on what they do, and is found out by trying: while conflicts abort
/// more than the target, a limit a third lower is compared with the present one in alternating windows, and kept unless
/// fewer commit under it; now and then a higher one, which is kept if more do. Each one that is not kept makes the next
/// comparisons twice as long, up to 16 times: near the best limit the difference is small, and chance is not. Open,
/// which it is at first, it holds nobody.
/// </summary>
/// <remarks>
/// Load control by incremental steps: Heiss and Wagner, "Adaptive load control in transaction processing systems" (VLDB
/// 1991). Comparing rates instead of aiming at a share of aborts is what makes it safe for conflicts with transactions
/// that it does not hold: a lower limit does not make those rarer, so it is not kept. What is compared is what all
/// silos commit that share the limit (<see cref="SharedLimit"/>). Not thread-safe: on the engine's turn.
/// </remarks>
/// <param name="target">Fewer aborts than this share of attempts are none to lower the limit for.</param>
internal sealed class ConflictLimit(double target)
{
    /// <summary>The value of a limit that holds nobody.</summary>
    public const int Open = int.MaxValue;

    private const double Thrashing = 0.6;
    private const double Collapse = 0.8;
    private const double NearlyAll = 0.98;
    private const int First = 16;
    private const int CareMax = 16;
    private const int RestMin = 4;
    private const int RestMax = 64;
    private const int NoHalvingMin = 128;
    private const int NoHalvingMax = 4_096;

    private LoadWindow _window = new(start: 0, settling: 0, care: 1);
    private LimitTrial? _trial;
    private LimitCliff _cliff = new();
    private bool _raises;
    private int _rejected;
    private int _rest;
    private int _restAfter = RestMin;

    // How many times the least a window sees.
    private int _care = 1;
    private bool _isAbove;
    private (int Limit, double Share) _thrashing;

    // Windows for which halving without a comparison is out of the question, and how many there will be the next time.
    private int _noHalving;
    private int _noHalvingAfter = NoHalvingMin;

    /// <summary>How many may run.</summary>
    public int Value { get; private set; } = Open;

    /// <summary>
    /// The share of attempts that conflicts have aborted since the limit was last looked at; 0 while too few have
    /// ended.
    /// </summary>
    public double Share => _window.Attempts < LoadWindow.AttemptsMin ? 0 : _window.Share;

    /// <summary>Attempts that count run now on a silo; this many.</summary>
    public void Running(int count) => _window.Peak = Math.Max(_window.Peak, count);

    /// <summary>One was held back.</summary>
    public void Held() => _window.IsBinding = true;

    /// <summary>The process has stood still, whatever the limit is.</summary>
    public void Stalled(long from, long to) => _window.Stalled(from, to);

    /// <summary>There is nothing left that the limit would have to hold.</summary>
    public void Reset()
    {
        Value = Open;
        _trial = null;
        ForgetTrials();
        _window = new(start: 0, settling: 0, care: 1);
    }

    /// <summary>
    /// Another table is in force, and what was found out under the former one says nothing of it: neither the limit if
    /// that is low, nor what was tried in vain, nor where attempts failed. Says whether the limit has changed.
    /// </summary>
    /// <param name="now">Microseconds on the host's clock.</param>
    /// <param name="running">How many run.</param>
    public bool BeginAnew(long now, int running)
    {
        var before = Value;
        ForgetTrials();

        // Not open, which would let in at once all that wait: from there it rises fast while there are few conflicts.
        StartAt(Math.Max(_trial?.Present ?? Value, First), now, running);
        return Value != before;
    }

    /// <summary>What it holds back has come back: what happened meanwhile says nothing about it.</summary>
    public void Resumed(long now, int running) => StartAt(_trial?.Present ?? Value, now, running);

    /// <summary>Goes on from another limit.</summary>
    /// <param name="limit">It.</param>
    /// <param name="now">Microseconds on the host's clock.</param>
    /// <param name="running">How many run.</param>
    public void StartAt(int limit, long now, int running)
    {
        Value = limit;
        _trial = null;
        _window = new LoadWindow(now, running, _care);
    }

    /// <summary>Attempts have ended; says whether the limit has changed.</summary>
    /// <param name="commits">How many that no conflict with another transaction aborted.</param>
    /// <param name="conflicts">How many that one did.</param>
    /// <param name="now">Microseconds on the host's clock.</param>
    /// <param name="load">What runs still.</param>
    public bool Ended(int commits, int conflicts, long now, SharedLoad load)
    {
        _window.Ended(commits, conflicts, now, load.Silos > 1 ? SharedLimit.HeardAfterMicroseconds : 0);
        var before = Value;
        if (_trial is { } losing && _window.IsFarBelow(losing.RateToReach, now))
        {
            _cliff.Failed(losing.Candidate);
            Reject(losing);
        }
        else if (IsQuietAsFarAsItGoes(now)) Decide(now);
        else if (!_window.IsFull(now)) return false;
        else if (_trial is { } trial) Continue(trial, now);
        else Decide(now);
        _window = new LoadWindow(now, Value == before ? 0 : Settling(load), _care);
        return Value != before;
    }

    /// <summary>
    /// Whether there are few conflicts under a limit that is no lower than the one that is to be bettered: then there
    /// is nothing to compare any more. That there are few under a lower one is what it is tried for.
    /// </summary>
    private bool IsQuietAsFarAsItGoes(long now)
    {
        if (!_window.IsQuiet(target, now) || Value < _trial?.Present) return false;
        _trial = null;
        return true;
    }

    private void ForgetTrials()
    {
        (_rest, _restAfter, _rejected, _care, _isAbove, _thrashing, _cliff) = (0, RestMin, 0, 1, false, default, new());
        (_noHalving, _noHalvingAfter) = (0, NoHalvingMin);
    }

    // Of those that run, as many as may from now on, or as run beyond that.
    private long Settling(SharedLoad load)
    {
        var allowed = Value == Open ? load.Running : (long)Value * load.Silos;
        return Math.Min(load.Running, Math.Max(allowed, load.Running - allowed));
    }

    // Open is the highest there is. A window can have begun before it was open, and have held one.
    private static int HalfHigher(int limit) => limit + Math.Min(Open - limit, Math.Max(1, limit / 2));

    private void Decide(long now)
    {
        var share = _window.Share;
        var from = Math.Min(Value, Math.Max(1, _window.Peak));
        if (_noHalving > 0) _noHalving--;
        if (share > Collapse) _cliff.Failed(from);
        else if (share <= Thrashing) _cliff.Fine(from);
        if (share <= target)
        {
            // Hardly anything to lose by letting more run. What was compared before says nothing about this load.
            _isAbove = false;
            _care = 1;
            if (_window.IsBinding) Value = Math.Max(Value, _cliff.Below(HalfHigher(Value)));
            else if (Value / 2 > _window.Peak) Value = Open;
            return;
        }

        if (Value == Open && from > First)
        {
            // Twice in a row, or it may be chance. Then, up from there is quicker than down to it, because more ends in
            // less time.
            if (_isAbove) Value = First;
            _isAbove = !_isAbove;
            return;
        }

        if (share > Thrashing && from > 1 && MayHalve(from, share))
        {
            Value = from / 2;
            return;
        }

        if (_rest > 0)
        {
            _rest = Math.Max(0, _rest - _care);
            return;
        }

        var higher = _window.IsBinding ? _cliff.Below(HalfHigher(from)) : from;
        var lower = Math.Min(from - 1, from * 2 / 3);
        if (_raises && higher <= from) _raises = false;
        if (!_raises && lower < 1) _raises = true;
        var candidate = _raises ? higher : lower;
        if (candidate == from) return;
        _trial = new LimitTrial(from, candidate, _window.RateAt(now));
        Value = _trial.Candidate;
    }

    /// <summary>
    /// Where nearly all is lost there is nothing to compare. That halving helps shows after two: of those that do not
    /// fail there are more, unless they fail for others that nobody holds. Then rates are compared all the same, for a
    /// while.
    /// </summary>
    private bool MayHalve(int from, double share)
    {
        if (share > NearlyAll) return true;
        if (_noHalving > 0) return false;
        if (_thrashing.Limit == 0) _thrashing = (from, share);
        if (from > _thrashing.Limit / 4) return true;
        var helps = 1 - share > 1.5 * (1 - _thrashing.Share);
        _thrashing = helps ? (from, share) : default;
        _noHalving = helps ? 0 : _noHalvingAfter;
        _noHalvingAfter = helps ? NoHalvingMin : Math.Min(2 * _noHalvingAfter, NoHalvingMax);
        return helps;
    }

    private void Continue(LimitTrial trial, long now)
    {
        Value = trial.Next(_window.RateAt(now), out var isOver);
        if (!isOver) return;
        _trial = null;
        var isBetter = trial.Gain > (_raises ? 1.05 : 0.95);
        if (isBetter)
        {
            Value = trial.Candidate;
            (_rejected, _restAfter) = (0, RestMin);
            _care = Math.Max(1, _care / 2);
            return;
        }

        Reject(trial);
    }

    // A limit that is far too high is left at once: those that it aborts begin again before all others, and are those
    // that conflict most, so that under the limit before, too, most fail until they are through.
    private void Reject(LimitTrial trial)
    {
        _trial = null;
        Value = trial.Present;
        _care = Math.Min(2 * _care, CareMax);
        _raises = !_raises;
        if (++_rejected < 2) return;

        // Neither is better: what is in force is right for now.
        _rejected = 0;
        _rest = _restAfter;
        _restAfter = Math.Min(2 * _restAfter, RestMax);
    }
}
