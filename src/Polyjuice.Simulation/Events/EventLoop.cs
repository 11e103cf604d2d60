using System.Buffers.Binary;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Runs;

namespace Polyjuice.Simulation.Events;

/// <summary>
/// One queue of events in virtual time (microseconds). Events of one instant run in the order in which they were
/// queued, flushes after everything else of that instant. Nothing here knows the wall clock. Not thread-safe:
/// everything of a run happens on the thread that made its loop.
/// </summary>
internal sealed class EventLoop
{
    private const long EventsOfInstantMax = 20_000;

    private readonly PriorityQueue<Event, EventTime> _queue = new();
    private readonly int _thread = Environment.CurrentManagedThreadId;
    private string? _trespass;
    private long _sequence;
    private long _foreground;
    private long _eventsOfInstant;

    /// <summary>Virtual time.</summary>
    public long Now { get; private set; }

    /// <summary>How many events have run.</summary>
    public long EventsRun { get; private set; }

    /// <summary>A hash of all events so far: kind, time, who, and what.</summary>
    public ulong Digest { get; private set; } = 14695981039346656037UL;

    /// <summary>Whether nothing but background events (which queue themselves for ever) is left.</summary>
    public bool IsIdle => _foreground == 0;

    /// <summary>How many events are queued that are not background ones.</summary>
    public long ForegroundEvents => _foreground;

    /// <summary>Runs before each event; where faults strike "at any event".</summary>
    public Action? BeforeEvent { get; set; }

    /// <summary>Queues an event.</summary>
    /// <param name="delay">From now; at least 0.</param>
    /// <param name="kind">What it is about.</param>
    /// <param name="tag">Whom it concerns; part of the digest.</param>
    /// <param name="run">What happens.</param>
    /// <param name="background">Whether it queues itself for ever, so that rest is reached without it.</param>
    public void Queue(long delay, EventKind kind, long tag, Action run, bool background = false)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(delay);
        if (Environment.CurrentManagedThreadId != _thread)
        {
            // Something left the turn for the thread pool: the next step
            // says so, because throwing here would end the process.
            _trespass ??= Environment.StackTrace;
            return;
        }

        if (!background) _foreground++;
        _queue.Enqueue(
            new Event(kind, tag, run, background),
            new EventTime(Now + delay, ((kind == EventKind.Flush ? 1L : 0L) << 62) | _sequence++));
    }

    /// <summary>Adds something that happened to the digest.</summary>
    public void Note(ulong fact) => Digest = (Digest ^ fact) * 1099511628211UL;

    /// <summary>Adds bytes to the digest.</summary>
    public void Note(ReadOnlySpan<byte> bytes)
    {
        for (; bytes.Length >= 8; bytes = bytes[8..])
            Note(SimulationRandom.Mix(BinaryPrimitives.ReadUInt64LittleEndian(bytes)));
        foreach (var b in bytes) Note(b);
    }

    /// <summary>Runs the next event; <see langword="false"/> when there is none.</summary>
    /// <exception cref="SimulationFailedException">
    /// Time does not pass any more, or something has left the loop's thread.
    /// </exception>
    public bool Step()
    {
        if (Volatile.Read(ref _trespass) is { } trace)
            throw new SimulationFailedException("off-turn", $"something ran on another thread: {trace}");
        if (!_queue.TryDequeue(out var next, out var key)) return false;
        if (!next.Background) _foreground--;
        _eventsOfInstant = key.Time == Now ? _eventsOfInstant + 1 : 0;
        if (_eventsOfInstant > EventsOfInstantMax)
            throw new SimulationFailedException(
                "livelock", $"{EventsOfInstantMax} events at {Now} µs, and time does not pass");
        Now = key.Time;
        EventsRun++;
        Note(SimulationRandom.Mix((ulong)key.Time * 31 + (ulong)next.Kind) ^ (ulong)next.Tag);
        BeforeEvent?.Invoke();
        next.Run();
        return true;
    }

    /// <summary>
    /// Runs until the condition holds; <see langword="false"/> when
    /// it does not within the virtual time or nothing is left to run.
    /// </summary>
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

    /// <summary>When, and within an instant in which order: flushes last, then as queued.</summary>
    private readonly record struct EventTime(long Time, long Order) : IComparable<EventTime>
    {
        public int CompareTo(EventTime other) =>
            Time != other.Time ? Time.CompareTo(other.Time) : Order.CompareTo(other.Order);
    }
}
