namespace Polyjuice.Tests.Harness;

/// <summary>What an event is about; part of the digest that proves two runs equal.</summary>
internal enum EventKind : byte
{
    Turn,
    Timer,
    Flush,
    Message,
    AppendEffect,
    AppendAnswer,
    LogRead,
    Directory,
    Fault,
    Client,
}

/// <summary>
/// One queue of events in virtual time (microseconds). Events of one instant run in the order in which they were queued,
/// flushes after everything else of that instant. Nothing here knows the wall clock.
/// </summary>
internal sealed class EventLoop
{
    private const long EventsOfInstantMax = 20_000;

    private readonly PriorityQueue<Event, (long Time, int Phase, long Sequence)> _queue = new();
    private readonly int _thread = Environment.CurrentManagedThreadId;
    private string? _trespass;
    private long _sequence;
    private long _foreground;
    private long _eventsOfInstant;

    public long Now { get; private set; }

    public long EventsRun { get; private set; }

    /// <summary>A hash of all events so far: kind, time, who, and what.</summary>
    public ulong Digest { get; private set; } = 14695981039346656037UL;

    /// <summary>Whether nothing but background events (which queue themselves for ever) is left.</summary>
    public bool IsIdle => _foreground == 0;

    /// <summary>Runs before each event; where faults strike "at any event".</summary>
    public Action? BeforeEvent { get; set; }

    public void Queue(long delay, EventKind kind, long tag, Action run, bool background = false)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(delay);
        if (Environment.CurrentManagedThreadId != _thread)
        {
            // Something left the turn for the thread pool: the next step says so, because throwing here would end the process.
            _trespass ??= Environment.StackTrace;
            return;
        }

        if (!background) _foreground++;
        _queue.Enqueue(new Event(kind, tag, run, background), (Now + delay, kind == EventKind.Flush ? 1 : 0, _sequence++));
    }

    /// <summary>Adds something that happened to the digest.</summary>
    public void Note(ulong fact) => Digest = (Digest ^ fact) * 1099511628211UL;

    public bool Step()
    {
        if (Volatile.Read(ref _trespass) is { } trace) throw new SimulationFailedException("off-turn", $"something ran on another thread: {trace}");
        if (!_queue.TryDequeue(out var next, out var key)) return false;
        if (!next.Background) _foreground--;
        _eventsOfInstant = key.Time == Now ? _eventsOfInstant + 1 : 0;
        if (_eventsOfInstant > EventsOfInstantMax) throw new SimulationFailedException("livelock", $"{EventsOfInstantMax} events at {Now} µs, and time does not pass");
        Now = key.Time;
        EventsRun++;
        Note(SimulationRandom.Mix((ulong)key.Time * 31 + (ulong)next.Kind) ^ (ulong)next.Tag);
        BeforeEvent?.Invoke();
        next.Run();
        return true;
    }

    /// <summary>Runs until the condition holds; <see langword="false"/> when it does not within the virtual time or nothing is left to run.</summary>
    public bool RunUntil(Func<bool> condition, long microsecondsMax)
    {
        var deadline = Now + microsecondsMax;
        while (!condition())
        {
            if (!_queue.TryPeek(out _, out var key) || key.Time > deadline) return condition();
            Step();
        }

        return true;
    }

    /// <summary>Runs everything of the next so many microseconds.</summary>
    public void RunFor(long microseconds)
    {
        var deadline = Now + microseconds;
        while (_queue.TryPeek(out _, out var key) && key.Time <= deadline) Step();
        Now = deadline;
    }

    private readonly record struct Event(EventKind Kind, long Tag, Action Run, bool Background);
}
