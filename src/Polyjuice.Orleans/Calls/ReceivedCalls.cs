using System.Collections.Concurrent;

namespace Polyjuice.Orleans.Calls;

/// <summary>
/// Which calls that start a transaction have come to this silo, so that one that Orleans delivers twice runs once. The
/// latest calls of each process that calls are remembered, in a few bits each, and a process that has not called for
/// <see cref="ForgottenAfter"/> is forgotten. Thread-safe.
/// </summary>
/// <param name="time">The clock.</param>
internal sealed class ReceivedCalls(TimeProvider time)
{
    /// <summary>How long a call is remembered: a message is sent again at once when its connection breaks.</summary>
    public static readonly TimeSpan RememberedFor = TimeSpan.FromSeconds(20);

    /// <summary>How long a process is remembered that does not call any more.</summary>
    public static readonly TimeSpan ForgottenAfter = TimeSpan.FromMinutes(2);

    private readonly ConcurrentDictionary<long, CallWindow> _callers = [];
    private long _sweptAt;

    /// <summary>Of how many processes there are calls.</summary>
    public int Callers => _callers.Count;

    /// <summary>A call has come.</summary>
    /// <param name="call">Its number (<see cref="CallNumber"/>).</param>
    /// <returns>
    /// <see langword="null"/> if it may run, and <see cref="End"/> is to be called after that. Otherwise it has come
    /// before, and this completes when the first has ended.
    /// </returns>
    public Task? Take(Guid call)
    {
        var (process, number) = CallNumber.Read(call);
        var now = Now;
        if (!_callers.TryGetValue(process, out var window))
        {
            Sweep(now);
            window = _callers.GetOrAdd(
                process, static (_, first) => new(first.number, first.now, (long)RememberedFor.TotalMilliseconds),
                (number, now));
        }

        return window.Take(number, now);
    }

    /// <summary>A call that was let run has ended.</summary>
    /// <param name="call">Its number.</param>
    /// <param name="mayComeAgain">Whether nothing of it has happened, so that its caller may make it again.</param>
    public void End(Guid call, bool mayComeAgain = false)
    {
        var (process, number) = CallNumber.Read(call);
        if (_callers.TryGetValue(process, out var window)) window.End(number, mayComeAgain);
    }

    private long Now => (long)time.GetElapsedTime(0).TotalMilliseconds;

    private void Sweep(long now)
    {
        var after = (long)ForgottenAfter.TotalMilliseconds;
        var last = Volatile.Read(ref _sweptAt);
        if (now - last < after || Interlocked.CompareExchange(ref _sweptAt, now, last) != last) return;
        foreach (var (process, window) in _callers)
        {
            if (now - window.HeardAt >= after) _callers.TryRemove(new(process, window));
        }
    }
}
