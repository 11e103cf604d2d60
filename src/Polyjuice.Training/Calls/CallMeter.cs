using Polyjuice.Contracts;
using Polyjuice.Tracing;
using Polyjuice.Training.Traces;

namespace Polyjuice.Training.Calls;

/// <summary>Counts what becomes of calls. Thread-safe.</summary>
internal sealed class CallMeter(
    AccessTrace trace, int count, CallReplayOptions options, Action<ReplayedCall>? ended, IProgress<double>? progress)
{
    private const int ProgressSteps = 200;

    private readonly Lock _gate = new();
    private readonly long _start = options.Time.GetTimestamp();

    // By method and outcome.
    private readonly int[,] _ended = new int[trace.Methods.Count, (int)CallOutcome.InDoubt + 1];
    private readonly SortedDictionary<string, int> _notMade = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, int> _reasons = new(StringComparer.Ordinal);
    private readonly List<TimeSpan> _latencies = [];
    private long _end = options.Time.GetTimestamp();
    private int _done;
    private int _repeats;
    private int _late;
    private TimeSpan _latestBy;

    /// <summary>A call is being made, so long after it was due.</summary>
    public void Released(TimeSpan after)
    {
        lock (_gate)
        {
            if (after > options.LateAfter) _late++;
            if (after > _latestBy) _latestBy = after;
        }
    }

    public void Ended(in ReplayedCall call, int repeats)
    {
        lock (_gate)
        {
            _ended[trace.Calls[call.Transaction].Method, (int)call.End.Outcome]++;
            if (call.End.Outcome == CallOutcome.Committed) _latencies.Add(call.Latency);
            else Add(_reasons, call.End.Reason);
            _repeats += repeats;
            _end = options.Time.GetTimestamp();
            ended?.Invoke(call);
            Done();
        }
    }

    public void NotMade(string why)
    {
        lock (_gate)
        {
            Add(_notMade, why);
            Done();
        }
    }

    public CallReplayResult Result(EngineStatistics? before, EngineStatistics? after)
    {
        lock (_gate)
        {
            _latencies.Sort();
            return new CallReplayResult
            {
                Recorded = count,
                Elapsed = options.Time.GetElapsedTime(_start, _end),
                Methods = [.. trace.Methods.Select(CountsOf).Where(method => method.Made > 0)],
                NotMade = new SortedDictionary<string, int>(_notMade, StringComparer.Ordinal),
                NotReached = count - _done,
                Reasons = new SortedDictionary<string, int>(_reasons, StringComparer.Ordinal),
                AbortsByReason = AbortsOf(before, after),
                Repeats = _repeats,
                Late = _late,
                LatestBy = _latestBy,
                Latencies = [.. _latencies],
            };
        }
    }

    private CallMethodCounts CountsOf(TracedMethod method, int number) => new(
        method, _ended[number, (int)CallOutcome.Committed], _ended[number, (int)CallOutcome.Refused],
        _ended[number, (int)CallOutcome.GivenUp], _ended[number, (int)CallOutcome.InDoubt]);

    private void Done()
    {
        _done++;
        if (progress is not null && (_done == count || _done % Math.Max(1, count / ProgressSteps) == 0))
            progress.Report((double)_done / count);
    }

    private static SortedDictionary<AbortReason, long> AbortsOf(EngineStatistics? before, EngineStatistics? after)
    {
        var aborts = new SortedDictionary<AbortReason, long>();
        for (var reason = 0; reason < (after?.AbortsByReason.Length ?? 0); reason++)
        {
            var count = after!.AbortsByReason[reason] - (before?.AbortsByReason[reason] ?? 0);
            if (count > 0) aborts.Add((AbortReason)reason, count);
        }

        return aborts;
    }

    private static void Add(SortedDictionary<string, int> counts, string what) =>
        counts[what] = counts.GetValueOrDefault(what) + 1;
}
