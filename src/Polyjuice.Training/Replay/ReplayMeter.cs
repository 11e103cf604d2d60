using Polyjuice.Agents;
using Polyjuice.Contracts;

namespace Polyjuice.Training.Replay;

/// <summary>Counts what clients of a replay hear, from the end of the warm-up on.</summary>
internal sealed class ReplayMeter(ReplayCluster cluster)
{
    private readonly List<long> _latencies = [];
    private int _warming = cluster.Settings.Warmup;
    private long _since;
    private int _failed;
    private long _attempts;
    private long _conflicts;
    private ReplayWork _work;
    private LoadCounts _counts = LoadCounts.None;

    public bool IsOver => _latencies.Count >= cluster.Settings.Measured;

    /// <summary>The warm-up begins; it counts if it is all that there is.</summary>
    public void Begin() => StartMeasuring();

    public void Committed(long latency)
    {
        if (_warming > 0)
        {
            if (--_warming == 0) StartMeasuring();
            return;
        }

        _latencies.Add(latency);
    }

    public void Failed() => _failed++;

    public ReplayScore Score(bool isCut)
    {
        _latencies.Sort();
        var elapsed = cluster.Loop.Now - _since;
        // What was cut while it warmed up is judged by its warm-up.
        var committed = _warming > 0 ? cluster.Settings.Warmup - _warming : _latencies.Count;
        var attempts = cluster.Nodes.Sum(static node => node.Engine.Statistics.Attempts) - _attempts;
        return new ReplayScore(
            elapsed > 0 ? committed * 1e6 / elapsed : 0,
            Math.Min(1, (double)(Conflicts - _conflicts) / Math.Max(1, attempts)), Percentile(0.5), Percentile(0.99),
            committed, _failed, elapsed, cluster.Loop.EventsRun, isCut, cluster.Loop.Digest)
        {
            Work = (Work - _work) / Math.Max(1, committed),
            Counts = Counts.Since(_counts),
        };
    }

    private void StartMeasuring()
    {
        _since = cluster.Loop.Now;
        _failed = 0;
        _attempts = cluster.Nodes.Sum(static node => node.Engine.Statistics.Attempts);
        _conflicts = Conflicts;
        _work = Work;
        _counts = Counts;
    }

    private LoadCounts Counts =>
        cluster.Nodes.Aggregate(LoadCounts.None, static (sum, node) => sum.And(LoadCounts.Of(node.Engine.Statistics)));

    private ReplayWork Work => cluster.Nodes.Aggregate(default(ReplayWork), static (sum, node) => sum + node.Work);

    private long Conflicts =>
        cluster.Nodes.Sum(
            static node => node.Engine.Statistics.AbortsByReason.Where(
                static (_, reason) => ((AbortReason)reason).IsConflict())
                .Sum());

    private long Percentile(double share) =>
        _latencies.Count == 0 ? 0 : _latencies[(int)Math.Min(_latencies.Count - 1, share * _latencies.Count)];
}
