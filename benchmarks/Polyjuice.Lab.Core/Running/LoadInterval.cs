using System.Diagnostics;
using Polyjuice.Lab.Load;
using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Running;

/// <summary>
/// Counts what clients do while a phase lasts. Counting happens on the clients' one thread; another thread moves the
/// phases along, and only reads the counts.
/// </summary>
internal sealed class LoadInterval(long? operationLimit, int operationTypes = 0)
{
    private readonly TaskCompletionSource _limitReached = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile int _phase = operationLimit is null ? WarmingUp : Measuring;
    private long _started;
    private long _ended;
    private long _committed;
    private long _declined;
    private long _aborted;
    private long _inDoubt;
    private long _overloaded;
    private long _notStarted;
    private long _measuredFrom = Stopwatch.GetTimestamp();
    private long _measuredTo;

    private const int WarmingUp = 0;
    private const int Measuring = 1;
    private const int Over = 2;

    private readonly OperationCounts[] _byType =
    [
        .. Enumerable.Range(0, operationTypes).Select(_ => new OperationCounts())
    ];

    public LatencyHistogram Latency { get; } = new();

    /// <summary>Completes when as many operations have ended as were wanted, if a number was.</summary>
    public Task LimitReached => _limitReached.Task;

    public bool IsOver => _phase == Over;

    /// <summary>Acknowledged in the measured interval up to now.</summary>
    public long Committed => Volatile.Read(ref _committed);

    public TimeSpan MeasuredSoFar => _phase == WarmingUp ? TimeSpan.Zero
        : _phase == Over ? Stopwatch.GetElapsedTime(_measuredFrom, _measuredTo)
        : Stopwatch.GetElapsedTime(_measuredFrom);

    public long Ended => Volatile.Read(ref _ended);

    public long UnderWay => Volatile.Read(ref _started) - Volatile.Read(ref _ended);

    public void StartMeasuring()
    {
        _measuredFrom = Stopwatch.GetTimestamp();
        _phase = Measuring;
    }

    /// <summary>No operation starts, and none is counted, from now on.</summary>
    public void End()
    {
        if (_phase == Over) return;
        _measuredTo = Stopwatch.GetTimestamp();
        _phase = Over;
        _limitReached.TrySetResult();
    }

    /// <summary>Whether another operation may start; if so, it counts as started.</summary>
    public bool TryStart()
    {
        if (_phase == Over || _started >= operationLimit) return false;
        _started++;
        return true;
    }

    public void CountNotStarted()
    {
        if (_phase == Measuring) _notStarted++;
    }

    /// <summary>Waits, but not beyond the interval's end.</summary>
    public async Task PauseAsync(TimeSpan pause)
    {
        using var enough = new CancellationTokenSource();
        await Task.WhenAny(Task.Delay(pause, enough.Token), LimitReached);
        await enough.CancelAsync();
    }

    public void Count(int type, OperationOutcome outcome, TimeSpan latency)
    {
        _ended++;
        if (_phase == Measuring)
        {
            if (_byType.Length > 0) _byType[type].Count(outcome, latency);
            switch (outcome)
            {
                case OperationOutcome.Committed:
                    Volatile.Write(ref _committed, _committed + 1);
                    Latency.Record(latency);
                    break;
                case OperationOutcome.Declined: _declined++; break;
                case OperationOutcome.Aborted: _aborted++; break;
                case OperationOutcome.Overloaded: _overloaded++; break;
                default: _inDoubt++; break;
            }
        }

        if (_ended >= operationLimit) End();
    }

    public IntervalSample ToSample(Clusters.ClusterCounters counters, ProcessUse use) =>
        new(MeasuredSoFar, _committed, _declined, _aborted, _inDoubt, _notStarted, Latency, counters)
        {
            Overloaded = _overloaded,
            ByType = _byType,
            Use = use,
        };
}
