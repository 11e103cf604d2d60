using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Agents;

/// <summary>
/// Lets attempts start. Those of contended types, as many as the <see cref="SharedLimit"/> says at a time; more wait
/// here, the oldest transaction first, so that one that was aborted goes before those that have not begun. An attempt
/// counts until it is sealed: how long the log takes to make it durable does not matter to others.
/// </summary>
/// <remarks>The queue is as long as callers wait, each until its deadline at the most. On the engine's turn.</remarks>
internal sealed class AdmissionQueue
{
    private const int MostDoublings = 4;

    private readonly EngineOptions _options;
    private readonly EngineStatistics _statistics;
    private readonly IEngineHost _host;
    private readonly SharedLimit _limit;
    private readonly DueWheel<WaitingAttempt> _deadlines;
    private readonly CancellationInbox<WaitingAttempt> _cancellations = new();
    private readonly PriorityQueue<WaitingAttempt, (long Since, long Number)> _queue = new();
    private TypeConflicts[] _types = new TypeConflicts[8];
    private int _contended;
    private int _running;
    private int _waiting;

    // Attempts that run beyond the limit, because nothing ended for long. Each that ends gives one back.
    private int _lent;

    // How often nothing had ended for long since one ended that was within the limit.
    private int _stalls;
    private long _number;
    private long _progressAt;

    /// <param name="options">Bounds.</param>
    /// <param name="statistics">Counts who is held.</param>
    /// <param name="host">The clock.</param>
    public AdmissionQueue(EngineOptions options, EngineStatistics statistics, IEngineHost host)
    {
        _options = options;
        _statistics = statistics;
        _host = host;
        _limit = new(options.ConflictShareTarget);
        _deadlines = new(options.TickMicroseconds, RefuseIfLate);
    }

    /// <summary>How often it was looked whether one's time is up.</summary>
    public long Looks => _deadlines.Looks;

    /// <summary>Attempts that may not start yet.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    /// <summary>
    /// How many attempts of contended types may run; <see cref="ConflictLimit.Open"/> while nothing is held back.
    /// </summary>
    public int Limit => IsFixed ? _options.AttemptsMax : _limit.Value;

    /// <summary>Whether there is anything to tell the silo that finds out the limit.</summary>
    public bool HasNews => _limit.HasNews;

    private bool IsOff => _options.ConflictShareTarget >= 1 && !IsFixed;

    private bool HasRoom => _running - _lent < Limit;

    private bool IsFixed => _options.AttemptsMax > 0;

    /// <summary>Lets an attempt start, unless it has to wait.</summary>
    /// <param name="typeId">Its transaction's type.</param>
    /// <param name="mayWait">Whether it may be told to wait; it counts in any case.</param>
    public bool TryEnter(int typeId, bool mayWait)
    {
        if (IsOff) return true;
        ref var type = ref TypeOf(typeId);
        if (type.IsContended)
        {
            if (mayWait && !HasRoom) return false;
            Count(1);
        }

        type.Running++;
        return true;
    }

    /// <summary>Waits in the queue; counts as running from the moment it is let in.</summary>
    /// <param name="attempt">Which.</param>
    /// <param name="since">When its transaction began, in microseconds.</param>
    public void Wait(WaitingAttempt attempt, long since)
    {
        _statistics.Held++;
        _limit.Held();
        if (_waiting++ == 0) _progressAt = _host.UtcMicroseconds;
        _queue.Enqueue(attempt, (since, ++_number));
        _deadlines.Add(attempt, attempt.Deadline);
        _cancellations.Watch(attempt, attempt.Cancellation);
    }

    /// <summary>An attempt stands in nobody's way any more.</summary>
    public void Leave(int typeId)
    {
        if (IsOff) return;
        ref var type = ref TypeOf(typeId);
        type.Running--;
        if (!type.IsContended) return;
        Count(-1);

        // That those end which began beyond the limit is no sign that the others get on.
        if (_lent > 0) _lent--;
        else _stalls = 0;
        _progressAt = _host.UtcMicroseconds;
        LetIn();
    }

    /// <summary>An attempt that has left before has ended.</summary>
    public void Ended(int typeId, AbortReason reason)
    {
        if (IsOff || IsFixed) return;
        ref var type = ref TypeOf(typeId);
        if (type.IsExempt) return;
        var isConflict = reason.IsConflict();
        var hasChanged = type.IsContended && _limit.Ended(isConflict, _host.UtcMicroseconds);

        // A limit that holds attempts makes conflicts rare. To take a type's attempts for harmless because of that
        // would let in at once all that wait. So while any wait, the limit has to rise first, until there are conflicts
        // again: a type that has none even then, under the same limit, is harmless.
        var mayBeReleased = _waiting == 0 || _limit.Share > _options.ConflictShareTarget;
        if (type.Ended(isConflict, _options.ConflictShareTarget, mayBeReleased))
        {
            hasChanged = true;
            _contended += type.IsContended ? 1 : -1;
            Count(type.IsContended ? type.Running : -type.Running);
            if (_contended == 0) _limit.Reset();
        }

        if (hasChanged) LetIn();
    }

    /// <summary>
    /// Says whether a type's attempts reserve what they access. While they do, they abort each other no more, so none
    /// is held back; and how many may run otherwise stays as it was found out, for when they do not any more.
    /// </summary>
    public void Exempt(int typeId, bool isExempt)
    {
        if (IsOff || IsFixed) return;
        ref var type = ref TypeOf(typeId);
        if (type.IsExempt == isExempt) return;
        var was = type.IsContended;
        type.IsExempt = isExempt;
        if (type.IsContended == was) return;
        Count(isExempt ? -type.Running : type.Running);
        if (!isExempt) _limit.Resumed(_host.UtcMicroseconds);
        LetIn();
    }

    /// <summary>
    /// Ends the waiting of those whose time is up, and lets one in when nothing else has happened for long, then
    /// two, four, and from then on up to 16 at a time, until those that ran before get on.
    /// </summary>
    public void Tick(long now)
    {
        if (_limit.Tick(now, _options.TickMicroseconds)) LetIn();
        if (_waiting == 0) return;
        while (_cancellations.TryTake(out var cancelled)) Refuse(cancelled, AbortReason.Cancelled);
        _deadlines.Tick(now);

        if (now - _progressAt < _options.AdmissionStallMicroseconds) return;
        _progressAt = now;

        // What runs may wait for what waits here: a transaction started within another one, a grain that one of them
        // keeps. The limit itself stays: where all is slow because too many run, nothing ends for long, either. More
        // may run than it says since it was lowered: those count as beyond it, or none would start.
        _lent = Math.Max(_lent, _running - Limit) + (1 << Math.Min(_stalls++, MostDoublings));
        LetIn();
    }

    /// <summary>
    /// Another table has come into force: the limit that was found out under the former one is none of it.
    /// </summary>
    /// <param name="now">The present.</param>
    public void BeginAnew(long now)
    {
        if (IsOff || IsFixed) return;
        if (_limit.BeginAnew(now)) LetIn();
    }

    /// <summary>What is new here, for the silo that finds out the limit.</summary>
    public LimitReport TakeNews() => _limit.TakeNews();

    /// <summary>This silo finds out the limit.</summary>
    public void Lead(long now)
    {
        if (_limit.Lead(now)) LetIn();
    }

    /// <summary>Another silo tells what is new there. False if this one finds out no limit.</summary>
    /// <param name="silo">Which.</param>
    /// <param name="report">What is new.</param>
    /// <param name="now">The present.</param>
    /// <param name="limit">What is in force for it.</param>
    /// <param name="share">See <see cref="SharedLimit.Share"/>.</param>
    public bool TryHear(NodeId silo, LimitReport report, long now, out int limit, out double share)
    {
        (limit, share) = (0, 0);
        if (IsOff || IsFixed) return false;
        if (_limit.Heard(silo, report, now)) LetIn();
        (limit, share) = (_limit.Value, _limit.Share);
        return true;
    }

    /// <summary>Another silo has found out the limit.</summary>
    /// <param name="limit">It.</param>
    /// <param name="share">See <see cref="SharedLimit.Share"/>.</param>
    /// <param name="now">The present.</param>
    public void Follow(int limit, double share, long now)
    {
        if (_limit.Follow(limit, share, now)) LetIn();
    }

    /// <summary>Nobody starts any more.</summary>
    public void Stop()
    {
        while (_queue.TryDequeue(out var attempt, out _))
        {
            if (!attempt.IsOver) Refuse(attempt, AbortReason.Shutdown);
        }
    }

    private void Refuse(WaitingAttempt attempt, AbortReason refusal)
    {
        _waiting--;
        End(attempt, refusal);
    }

    private long RefuseIfLate(WaitingAttempt attempt, long now)
    {
        if (now < attempt.Deadline) return attempt.Deadline;
        Refuse(attempt, AbortReason.Timeout);
        return DueWheel<WaitingAttempt>.Never;
    }

    private void End(WaitingAttempt attempt, AbortReason refusal)
    {
        _deadlines.Remove(attempt);
        _cancellations.Forget(attempt);
        attempt.EndWith(refusal);
    }

    private void LetIn()
    {
        while (_waiting > 0 && HasRoom)
        {
            var attempt = _queue.Dequeue();
            if (attempt.IsOver) continue;
            _waiting--;
            TryEnter(attempt.TypeId, mayWait: false);
            End(attempt, AbortReason.None);
        }

        if (_waiting > 0) _limit.Held();
    }

    private void Count(int change)
    {
        _running += change;
        _limit.Running(_running);
    }

    private ref TypeConflicts TypeOf(int typeId)
    {
        if (typeId >= _types.Length) Array.Resize(ref _types, Math.Max(typeId + 1, 2 * _types.Length));
        if (IsFixed) _types[typeId].IsContended = true;
        return ref _types[typeId];
    }
}
