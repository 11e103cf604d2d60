using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Storage;
using Polyjuice.Tracing;

namespace Polyjuice.Training.Traces;

/// <summary>
/// The states that a recorded system had at a moment, as far as what came after it accessed them: what calls are made
/// again from. Immutable.
/// </summary>
/// <remarks>
/// A participant's state at a window's begin is what was recorded first since then: with its first access, or before
/// its first update was ordered. What is recorded is decided by commit timestamps, so that the states are those that
/// the transactions before that moment have left, and no others; what was under way then is in no state, and is not
/// made again. What was undecided until a file ended is missing. Where the recording itself begins, silos do so one
/// after the other, and states may differ by what was committed meanwhile; and where a silo was lost in a window, so
/// may that window's.
/// </remarks>
internal sealed class StateImage
{
    private readonly AccessTrace _trace;

    private StateImage(AccessTrace trace, IReadOnlyList<TraceState> known, int missing) =>
        (_trace, Known, Missing) = (trace, known, missing);

    /// <summary>How many states there are; those that were never written are not among them.</summary>
    public int Count => Whole.Count();

    /// <summary>As they were recorded, also those that were never written.</summary>
    internal IReadOnlyList<TraceState> Known { get; }

    private IEnumerable<TraceState> Whole => Known.Where(static state => state.Kind == TracedStateKind.Whole);

    /// <summary>How many were there and are not here: too large, refused by their codecs, or forgotten.</summary>
    public int Missing { get; }

    /// <summary>
    /// The first moment at or behind another one whose states are known: a window's begin, or a multiple of
    /// <see cref="AccessTrace.StatePeriodMicroseconds"/> within one.
    /// <see langword="null"/> if there is none, or no state.
    /// </summary>
    /// <param name="trace">Of what.</param>
    /// <param name="fromMicroseconds">Since the trace's start.</param>
    public static long? BeginAt(AccessTrace trace, long fromMicroseconds)
    {
        ArgumentNullException.ThrowIfNull(trace);
        if (trace.States.IsEmpty) return null;
        foreach (var window in trace.Windows)
        {
            if (window.StartMicroseconds >= fromMicroseconds) return window.StartMicroseconds;
            var begin = WindowOf(trace, fromMicroseconds);
            if (begin < fromMicroseconds) begin += trace.StatePeriodMicroseconds;
            if (window.Contains(begin)) return begin;
        }

        return null;
    }

    /// <summary>The states at a moment.</summary>
    /// <param name="trace">Of what; with states and keys.</param>
    /// <param name="atMicroseconds">Since the trace's start; one of <see cref="BeginAt"/>.</param>
    public static StateImage Of(AccessTrace trace, long atMicroseconds)
    {
        ArgumentNullException.ThrowIfNull(trace);

        // Silos begin to record one after the other: what one has
        // recorded a moment before all did is of this window, too.
        var begin = WindowOf(trace, atMicroseconds);
        var first = new Dictionary<int, TraceState>();
        foreach (var state in trace.States)
        {
            if (state.AtMicroseconds < begin) continue;
            var isLater = first.TryGetValue(state.Participant, out var other)
                && (other.AtMicroseconds >= atMicroseconds || WindowOf(trace, state.AtMicroseconds) != begin);
            if (!isLater) first[state.Participant] = state;
        }

        TraceState[] known = [.. first.Values.Where(static state => state.Kind.IsKnown())];
        return new(trace, known, first.Count - known.Length);
    }

    /// <summary>Logs in memory that hold the states, for a cluster to begin with.</summary>
    /// <param name="partitions">How many the cluster has; 1 to 65,536.</param>
    /// <remarks>
    /// Each grain is taken for a group of its own. A silo with classes that declare groups refuses what it finds in
    /// another partition, unless there is one only.
    /// </remarks>
    public Task<MemoryLogStore> ToLogsAsync(int partitions) => ToLogsAsync(partitions, GrainGroups.Own);

    /// <summary>The same for classes that declare groups.</summary>
    internal async Task<MemoryLogStore> ToLogsAsync(int partitions, GrainGroups groups)
    {
        var logs = new MemoryLogStore(partitions, takesCheckpoints: true);
        await SeededLogs.WriteAsync(
            logs, Whole.Select(state => new SeededState(KeyOf(state), state.Codec, state.Bytes)), groups,
            CancellationToken.None)
            .ConfigureAwait(false);
        return logs;
    }

    /// <summary>When the window began in which a moment lies, since the trace's start.</summary>
    internal static long WindowOf(AccessTrace trace, long atMicroseconds)
    {
        var period = trace.StatePeriodMicroseconds;
        return period == 0 ? atMicroseconds : atMicroseconds - ((trace.StartMicroseconds + atMicroseconds) % period);
    }

    private ParticipantKey KeyOf(TraceState state)
    {
        var participant = _trace.Participants[state.Participant];
        var grain = _trace.Grains[participant.Grain];

        // As the merger has put it together: the class, a dot, the state's name.
        return new ParticipantKey(grain.Key, participant.State[(grain.Class.Length + 1)..], grain.Class);
    }
}
