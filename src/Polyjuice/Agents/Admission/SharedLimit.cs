using Polyjuice.Contracts;

namespace Polyjuice.Agents;

/// <summary>
/// The limit on how many attempts of contended types run at a time on one silo: the same for all silos, found out by
/// one of them (<see cref="ConflictLimit"/>) by what all of them commit, of which the others tell it
/// (<see cref="AgreedLimit"/>).
/// </summary>
/// <remarks>
/// A silo that went by its own commits would raise its limit at the expense of the others: it gains what it lets run,
/// and they lose what that aborts, and the processors that it takes from them, because calls of its transactions run
/// there. In that game each lets several times as many run as are best for all (the tragedy of the commons). Who hears
/// nothing for <see cref="LeaseMicroseconds"/> goes on by itself, from the limit that it heard last. On the engine's
/// turn.
/// </remarks>
/// <param name="target">See <see cref="ConflictLimit"/>.</param>
internal sealed class SharedLimit(double target)
{
    /// <summary>
    /// Within this time every silo has heard of a new limit, in microseconds: two ticks, and a message.
    /// </summary>
    public const long HeardAfterMicroseconds = 10_000;

    /// <summary>For so long what was heard is in force, or counts, in microseconds.</summary>
    public const long LeaseMicroseconds = 200_000;

    private readonly ConflictLimit _limit = new(target);
    private readonly Dictionary<NodeId, (LimitReport Report, long At)> _others = [];

    // This silo's own, since it began to count and since it was told.
    private LimitReport _own;
    private int _othersRunning;

    // What another silo has found out; until when, or 0 if this one finds it out itself.
    private (int Limit, double Share, long Until) _heard;
    private long _tickedAt;

    /// <summary>How many may run.</summary>
    public int Value => IsFollowing ? _heard.Limit : _limit.Value;

    /// <summary>
    /// The share of attempts that conflicts have aborted of late under this limit; 0 while it is not known.
    /// </summary>
    public double Share => IsFollowing ? _heard.Share : _limit.Share;

    /// <summary>Whether another silo finds it out.</summary>
    public bool IsFollowing => _heard.Until > 0;

    /// <summary>Whether there is anything to tell.</summary>
    public bool HasNews { get; private set; }

    /// <summary>So many run here now.</summary>
    public void Running(int count)
    {
        _own = _own with { Running = count, Peak = Math.Max(_own.Peak, count) };
        _limit.Running(count);
    }

    /// <summary>One was held back.</summary>
    public void Held()
    {
        _own = _own with { IsBinding = true };
        _limit.Held();
    }

    /// <summary>An attempt has ended here; says whether the limit has changed.</summary>
    /// <param name="isConflict">Whether a conflict with another transaction has aborted it.</param>
    /// <param name="now">Microseconds on the host's clock.</param>
    public bool Ended(bool isConflict, long now)
    {
        HasNews = true;
        _own = isConflict ? _own with { Conflicts = _own.Conflicts + 1 } : _own with { Commits = _own.Commits + 1 };
        return !IsFollowing && _limit.Ended(isConflict ? 0 : 1, isConflict ? 1 : 0, now, Load);
    }

    /// <summary>What is new here, for who finds out the limit.</summary>
    public LimitReport TakeNews()
    {
        var news = _own;
        HasNews = false;
        _own = news with { Peak = news.Running, IsBinding = false, BeginsAnew = false };
        return news;
    }

    /// <summary>This silo finds it out, for all that tell it what is new; says whether the limit has changed.</summary>
    public bool Lead(long now)
    {
        HasNews = false;
        _own = _own with { BeginsAnew = false };
        return IsFollowing && GoOnAlone(now);
    }

    /// <summary>Another silo tells what is new there; says whether the limit has changed.</summary>
    /// <param name="silo">Which.</param>
    /// <param name="report">What is new.</param>
    /// <param name="now">Microseconds on the host's clock.</param>
    public bool Heard(NodeId silo, LimitReport report, long now)
    {
        // Of the first one nobody knows since when. What comes late has been told already.
        var before = _others.TryGetValue(silo, out var told) ? told.Report : report with { Running = 0 };
        if (report.Commits < before.Commits || report.Conflicts < before.Conflicts) return false;
        _others[silo] = (report, now);
        _othersRunning += report.Running - before.Running;
        if (IsFollowing) return false;
        var hasBegun = report.BeginsAnew && _limit.BeginAnew(now, Load.Running);
        _limit.Running(report.Peak);
        if (report.IsBinding) _limit.Held();
        var (commits, conflicts) = (report.Commits - before.Commits, report.Conflicts - before.Conflicts);
        return _limit.Ended((int)commits, (int)conflicts, now, Load) || hasBegun;
    }

    /// <summary>
    /// Another table has come into force here; says whether the limit has changed. Silos swap one after the other: so
    /// each tells the one that finds the limit out, which begins anew each time, at last when all have swapped.
    /// </summary>
    /// <param name="now">Microseconds on the host's clock.</param>
    public bool BeginAnew(long now)
    {
        HasNews = true;
        _own = _own with { BeginsAnew = true };
        return !IsFollowing && _limit.BeginAnew(now, Load.Running);
    }

    /// <summary>Another silo has found out the limit; says whether it has changed.</summary>
    /// <param name="limit">It.</param>
    /// <param name="share">What <see cref="Share"/> is there.</param>
    /// <param name="now">Microseconds on the host's clock.</param>
    public bool Follow(int limit, double share, long now)
    {
        var before = Value;
        _heard = (limit, share, now + LeaseMicroseconds);
        return Value != before;
    }

    /// <summary>Forgets whom it does not hear of any longer; says whether the limit has changed.</summary>
    /// <param name="now">Microseconds on the host's clock.</param>
    /// <param name="interval">From one tick to the next, in microseconds.</param>
    public bool Tick(long now, long interval)
    {
        // A process that stands still commits nothing, whatever the limit is.
        var expected = _tickedAt + (2 * interval);
        if (_tickedAt > 0 && now > expected) _limit.Stalled(expected, now);
        _tickedAt = now;
        foreach (var (silo, (report, at)) in _others)
        {
            if (now - at < LeaseMicroseconds) continue;
            _othersRunning -= report.Running;
            _others.Remove(silo);
        }

        return IsFollowing && now >= _heard.Until && GoOnAlone(now);
    }

    /// <summary>There is nothing left here that the limit would have to hold.</summary>
    public void Reset()
    {
        if (_others.Count == 0) _limit.Reset();
    }

    /// <summary>What it holds back has come back: what happened meanwhile says nothing about it.</summary>
    public void Resumed(long now) => _limit.Resumed(now, Load.Running);

    private SharedLoad Load => new(_own.Running + _othersRunning, 1 + _others.Count);

    private bool GoOnAlone(long now)
    {
        var before = Value;
        _limit.StartAt(_heard.Limit, now, Load.Running);
        _heard = default;
        return Value != before;
    }
}
