namespace Polyjuice.Execution;

/// <summary>
/// How many attempts of contended types may run at a time on one silo. More of them than the data can take in parallel only abort each other; how many that is depends on what they do, and is found out by
/// trying: while conflicts abort more than the target, a limit a third lower is compared with the present one in alternating windows, and kept unless it is worth less
/// (<see cref="LoadWindow.WorthAt"/>); now and then a higher one, which is kept if it is worth more. Each one that is not kept makes the next comparisons twice as long, up to 16 times: near the
/// best limit the difference is small, and chance and the trials of other silos are not. Open, which it is at first, it
/// holds nobody.
/// </summary>
/// <remarks>
/// Load control by incremental steps: Heiss and Wagner, "Adaptive load control in transaction processing systems" (VLDB 1991). Comparing rates instead of aiming at a share of aborts is what makes it safe
/// for conflicts with transactions that it does not hold: a lower limit does not make those rarer, so it is not kept. But
/// each silo sees its own commits alone. By their rate alone it would raise its limit at the expense of the others, whose
/// attempts it aborts and whose processors it takes, as they would at its own. So what is aborted counts against a limit:
/// where n silos share all data, weighing the rate by the share of commits n - 1 times over makes what is best for each
/// what is best for all. Once is right for two, and errs towards too many for more. Not thread-safe: on the engine's turn.
/// </remarks>
/// <param name="target">Fewer aborts than this share of attempts are none to lower the limit for.</param>
internal sealed class ConflictLimit(double target)
{
    /// <summary>The value of a limit that holds nobody.</summary>
    public const int Open = int.MaxValue;

    private const double Thrashing = 0.5;
    private const int First = 16;
    private const int CareMax = 16;
    private const int RestMin = 4;
    private const int RestMax = 64;
    private const int NoHalvingMin = 128;
    private const int NoHalvingMax = 4_096;

    private LoadWindow _window = new(start: 0, settling: 0, care: 1);
    private LimitTrial? _trial;
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

    /// <summary>The share of attempts that conflicts aborted in the latest window that has ended.</summary>
    public double LatestShare { get; private set; }

    /// <summary>Attempts that count run now; this many.</summary>
    public void Running(int count) => _window.Peak = Math.Max(_window.Peak, count);

    /// <summary>One was held back.</summary>
    public void Held() => _window.IsBinding = true;

    /// <summary>There is nothing left that the limit would have to hold.</summary>
    public void Reset()
    {
        Value = Open;
        _trial = null;
        (_rest, _restAfter, _rejected, _care, _isAbove, _thrashing) = (0, RestMin, 0, 1, false, default);
        LatestShare = 0;
    }

    /// <summary>What it holds back has come back: what happened meanwhile says nothing about it.</summary>
    public void Resumed(long now, int running)
    {
        if (_trial is { } trial) Value = trial.Present;
        _trial = null;
        _window = new LoadWindow(now, running, _care);
    }

    /// <summary>An attempt has ended; says whether the limit has changed.</summary>
    /// <param name="isConflict">It was aborted by a conflict with another transaction.</param>
    /// <param name="now">Microseconds on the host's clock.</param>
    /// <param name="running">How many run still.</param>
    public bool Ended(bool isConflict, long now, int running)
    {
        if (!_window.Ended(isConflict, now)) return false;
        var before = Value;
        LatestShare = _window.Share;
        if (_trial is { } trial) Continue(trial, now);
        else Decide(now);
        _window = new LoadWindow(now, Value == before ? 0 : Math.Min(running, Math.Max(Value, running - Value)), _care);
        return Value != before;
    }

    // Open is the highest there is. A window can have begun before it was open, and have held one.
    private static int HalfHigher(int limit) => limit + Math.Min(Open - limit, Math.Max(1, limit / 2));

    private void Decide(long now)
    {
        var share = _window.Share;
        var from = Math.Min(Value, Math.Max(1, _window.Peak));
        if (_noHalving > 0) _noHalving--;
        if (share <= target)
        {
            // Hardly anything to lose by letting more run. What was compared before says nothing about this load.
            _isAbove = false;
            _care = 1;
            if (_window.IsBinding) Value = HalfHigher(Value);
            else if (Value / 2 > _window.Peak) Value = Open;
            return;
        }

        if (Value == Open && from > First)
        {
            // Twice in a row, or it may be chance. Then, up from there is quicker than down to it, because more ends in less time.
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

        if (_raises && !_window.IsBinding) _raises = false;
        if (!_raises && from == 1) _raises = true;
        _trial = new LimitTrial(from, _raises ? HalfHigher(from) : Math.Min(from - 1, from * 2 / 3), _window.WorthAt(now));
        Value = _trial.Candidate;
    }

    /// <summary>
    /// Where nearly all is lost there is nothing to compare. That halving helps shows after two: of those that do not fail there are more, unless they fail for others that nobody holds. Then rates are
    /// compared all the same, for a while.
    /// </summary>
    private bool MayHalve(int from, double share)
    {
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
        Value = trial.Next(_window.WorthAt(now), out var isOver);
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
