using System.Diagnostics.Metrics;
using System.Threading.Tasks.Sources;
using Polyjuice.Diagnostics;

namespace Polyjuice.Orleans.Transactions;

/// <summary>
/// Lets as many begin at a time as a limit says. The others wait here, the oldest first, and cost nothing but one small
/// object each. Thread-safe.
/// </summary>
/// <remarks>
/// Each is as old as its caller says, and no older than <see cref="AgeMax"/>; otherwise it begins to age when it comes.
/// So of those that wait, each is overtaken by those alone that were wanted before it, of which none comes later than
/// <see cref="AgeMax"/> after it; and <see cref="OldestShare"/> of the limit is kept from those that are never told to
/// wait. It gets its turn, or is refused when its patience ends.
/// </remarks>
internal abstract class PlaceQueue : IDisposable
{
    /// <summary>
    /// The oldest that one can be when it comes: longer than a call is repeated, and than another transaction waits
    /// for it.
    /// </summary>
    internal static readonly TimeSpan AgeMax = TimeSpan.FromMinutes(1);

    /// <summary>Which part of the limit is for those that may be told to wait, however many others are open.</summary>
    internal const int OldestShare = 4;

    private static readonly TimeSpan _lookInterval = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan _countInterval = TimeSpan.FromMilliseconds(250);

    private readonly Lock _gate = new();

    // By age, and as they came. Those that do not wait any more are left in both until it is their turn.
    private readonly PriorityQueue<Waiting, (long Since, long Number)> _byAge = new();
    private readonly Queue<Waiting> _asTheyCame = new();
    private readonly IPlaceLimit _limit;
    private readonly RefusalBudget _refusals;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly Meter _meter;
    private readonly TimeSpan _patience;
    private int _waiting;
    private int _open;
    private int _unasked;
    private long _number;
    private double _perSecond;
    private long _countedSince;
    private int _ended;
    private int _endedSinceLook;
    private long _refused;

    /// <param name="limit">How many may be open.</param>
    /// <param name="patience">For how long one waits at the most.</param>
    /// <param name="processors">How many there are: by them goes how many are refused at once.</param>
    /// <param name="time">For how long is waited.</param>
    /// <param name="instruments">What it is measured as.</param>
    /// <param name="meters">The host's, if it has one.</param>
    protected PlaceQueue(
        IPlaceLimit limit, TimeSpan patience, int processors, TimeProvider time, PlaceInstruments instruments,
        IMeterFactory? meters)
    {
        _limit = limit;
        _patience = patience;
        _refusals = new(processors, time);
        _time = time;
        _timer = time.CreateTimer(
            static state => ((PlaceQueue)state!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _meter = PolyjuiceMeter.Of(meters);
        instruments.AddTo(_meter, this);
    }

    /// <summary>How many may be open at this moment.</summary>
    public int Limit => _limit.Value;

    /// <summary>How many are open.</summary>
    public int Open
    {
        get
        {
            lock (_gate) return _open;
        }
    }

    /// <summary>How many wait to begin.</summary>
    public int Held
    {
        get
        {
            lock (_gate) return _waiting;
        }
    }

    /// <summary>How many would have waited for too long, or had, so far.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Whether any is open, or waits to be.</summary>
    public bool Any
    {
        get
        {
            lock (_gate) return _open > 0 || _waiting > 0;
        }
    }

    /// <summary>Asks for one to begin, and completes when it may, or may not any more.</summary>
    /// <param name="mayWait">Whether it may be told to wait. One that others wait for must not be.</param>
    /// <param name="since">
    /// Since when it is wanted, in microseconds since 1970, if that is earlier than now; 0 if not.
    /// </param>
    /// <param name="cancellationToken">Its caller waits no longer.</param>
    /// <returns>
    /// For how long it has waited, if it may begin; then <see cref="Leave"/> must follow. <see langword="null"/> when
    /// it would have to wait for too long, or has. To be awaited once.
    /// </returns>
    public ValueTask<TimeSpan?> EnterAsync(bool mayWait, long since, CancellationToken cancellationToken)
    {
        Waiting waiting;
        lock (_gate)
        {
            if (!mayWait || (_waiting == 0 && HasRoom))
            {
                _open++;
                if (!mayWait) _unasked++;
                return new(TimeSpan.Zero);
            }

            // The older ones do not come last.
            if (since == 0 && _limit.MayRefuse && WouldWaitTooLong && _refusals.TryTake())
            {
                _refused++;
                return new((TimeSpan?)null);
            }

            waiting = new(this, _time.GetTimestamp());
            _byAge.Enqueue(waiting, (AgeOf(since), ++_number));
            _asTheyCame.Enqueue(waiting);
            if (++_waiting == 1) Begin();
        }

        return waiting.WaitAsync(cancellationToken);
    }

    /// <summary>One that was let begin has ended.</summary>
    /// <param name="mayWait">As when it asked.</param>
    /// <param name="hasWaited">
    /// Whether it has waited for long where it went, if that is
    /// known: it matters to <see cref="UnansweredLimit"/> alone.
    /// </param>
    public void Leave(bool mayWait, bool? hasWaited = null)
    {
        lock (_gate)
        {
            if (hasWaited is { } known) _limit.Answered(_open, known);
            _open--;
            if (!mayWait) _unasked--;
            _ended++;
            _endedSinceLook++;
            LetIn();
            if (_waiting == 0) _limit.Rest(_open);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _timer.Dispose();
        _meter.Dispose();
    }

    private bool WouldWaitTooLong => _perSecond > 0 && _waiting / _perSecond > _patience.TotalSeconds;

    private bool HasRoom => _open < Limit || _open - _unasked < Math.Max(1, Limit / OldestShare);

    private long AgeOf(long since)
    {
        var now = Microseconds(_time.GetUtcNow() - DateTimeOffset.UnixEpoch);
        return since == 0 ? now : Math.Clamp(since, now - Microseconds(AgeMax), now);
    }

    private static long Microseconds(TimeSpan time) => time.Ticks / TimeSpan.TicksPerMicrosecond;

    private bool TryRemove(Waiting waiting)
    {
        lock (_gate)
        {
            if (!waiting.IsWaiting) return false;
            Remove(waiting);
            return true;
        }
    }

    // Whoever removes one lets it know.
    private void Remove(Waiting waiting)
    {
        waiting.IsWaiting = false;
        if (--_waiting > 0) return;
        _byAge.Clear();
        _asTheyCame.Clear();
        _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    // What ended while nobody waited says nothing of how fast the queue moves.
    private void Begin()
    {
        (_countedSince, _ended, _endedSinceLook, _perSecond) = (_time.GetTimestamp(), 0, 0, 0);
        _timer.Change(_lookInterval, _lookInterval);
    }

    // While transactions wait.
    private void Look()
    {
        List<Waiting>? late = null;
        lock (_gate)
        {
            Count();
            _limit.Adapt(_open, _perSecond, _endedSinceLook);
            _endedSinceLook = 0;
            LetIn();
            while (_asTheyCame.TryPeek(out var first) && (!first.IsWaiting || first.Waited >= _patience))
            {
                _asTheyCame.Dequeue();
                if (!first.IsWaiting) continue;
                (late ??= []).Add(first);
                Remove(first);
                _refused++;
            }
        }

        foreach (var waiting in late ?? []) waiting.Refuse();
    }

    // How fast the queue moves, for who would come too late.
    private void Count()
    {
        var elapsed = _time.GetElapsedTime(_countedSince);
        if (elapsed < _countInterval) return;
        var rate = _ended / elapsed.TotalSeconds;
        _perSecond = _perSecond == 0 ? rate : (_perSecond + rate) / 2;
        (_countedSince, _ended) = (_time.GetTimestamp(), 0);
    }

    private void LetIn()
    {
        while (_waiting > 0 && HasRoom)
        {
            var oldest = _byAge.Dequeue();
            if (!oldest.IsWaiting) continue;
            Remove(oldest);
            _open++;
            oldest.LetIn();
        }
    }

    // Many wait at a time, and the garbage collector copies what they keep: so it is its own task.
    private sealed class Waiting(PlaceQueue all, long cameAt) : IValueTaskSource<TimeSpan?>
    {
        private ManualResetValueTaskSourceCore<TimeSpan?> _end = new() { RunContinuationsAsynchronously = true };
        private CancellationTokenRegistration _cancellation;

        /// <summary>Whether it is among those that wait.</summary>
        public bool IsWaiting { get; set; } = true;

        /// <summary>For how long it has waited.</summary>
        public TimeSpan Waited => all._time.GetElapsedTime(cameAt);

        /// <summary>Completes when it is let in, refused or cancelled.</summary>
        public ValueTask<TimeSpan?> WaitAsync(CancellationToken cancellationToken)
        {
            _cancellation = cancellationToken.UnsafeRegister(
                static (state, token) => ((Waiting)state!).Cancel(token), this);
            return new(this, _end.Version);
        }

        /// <summary>It may begin. Each that waits is let in, refused or cancelled, once.</summary>
        public void LetIn() => _end.SetResult(Waited);

        /// <summary>It must not begin.</summary>
        public void Refuse() => _end.SetResult(null);

        TimeSpan? IValueTaskSource<TimeSpan?>.GetResult(short token)
        {
            _cancellation.Unregister();
            return _end.GetResult(token);
        }

        ValueTaskSourceStatus IValueTaskSource<TimeSpan?>.GetStatus(short token) => _end.GetStatus(token);

        void IValueTaskSource<TimeSpan?>.OnCompleted(
            Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            _end.OnCompleted(continuation, state, token, flags);

        private void Cancel(CancellationToken cancellationToken)
        {
            if (all.TryRemove(this)) _end.SetException(new OperationCanceledException(cancellationToken));
        }
    }
}
