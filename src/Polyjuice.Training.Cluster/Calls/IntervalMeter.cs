using Polyjuice.Contracts;
using Polyjuice.Tracing;
using Polyjuice.Training.Calls;

namespace Polyjuice.Training.Cluster.Calls;

/// <summary>
/// Counts the calls of an interval: it begins after a warm-up, and ends when its time is over or there are no more
/// calls, and not when the last of them has ended. Thread-safe.
/// </summary>
/// <param name="warmupCalls">The warm-up ends at the latest when so many calls have ended.</param>
/// <param name="time">The clock.</param>
internal sealed class IntervalMeter(int warmupCalls, TimeProvider time)
{
    private readonly Lock _gate = new();
    private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<TimeSpan> _latencies = [];
    private readonly SortedDictionary<string, int> _reasons = new(StringComparer.Ordinal);
    private int _all;
    private int _refused;
    private int _failed;
    private long _begin;
    private TimeSpan _processor;
    private CallSample? _sample;

    /// <summary>Completes when the warm-up is over.</summary>
    public Task Begun => _begun.Task;

    /// <summary>Completes when the interval is over.</summary>
    public Task Ended => _ended.Task;

    /// <summary>The warm-up is over, if it is not already.</summary>
    public void Begin()
    {
        lock (_gate)
        {
            if (_begun.Task.IsCompleted) return;
            _begin = time.GetTimestamp();
            _processor = Environment.CpuUsage.TotalTime;
            _begun.TrySetResult();
        }
    }

    /// <summary>A call has ended.</summary>
    public void Add(ReplayedCall call)
    {
        lock (_gate)
        {
            if (_sample is not null) return;
            _all++;
            if (_begun.Task.IsCompleted) Count(call);
            else if (_all >= warmupCalls) Begin();
        }
    }

    /// <summary>The interval is over, if it is not already.</summary>
    /// <returns>What it came to.</returns>
    public CallSample End()
    {
        lock (_gate)
        {
            if (_sample is { } over) return over;
            Begin();
            _latencies.Sort();
            var p99 = _latencies.Count == 0
                ? TimeSpan.Zero
                : _latencies[(int)Math.Ceiling(_latencies.Count * 0.99) - 1];
            var (elapsed, processor) = (time.GetElapsedTime(_begin), Environment.CpuUsage.TotalTime - _processor);
            _sample = new CallSample(_latencies.Count, _refused, _failed, elapsed, processor, p99)
            {
                Reasons = _reasons
            };
            _ended.TrySetResult();
            return _sample;
        }
    }

    private void Count(ReplayedCall call)
    {
        if (call.End.Outcome == CallOutcome.Committed)
        {
            _latencies.Add(call.Latency);
            return;
        }

        if (call.End.Outcome == CallOutcome.Refused) _refused++;
        else _failed++;
        _reasons[call.End.Reason] = _reasons.GetValueOrDefault(call.End.Reason) + 1;
    }
}
