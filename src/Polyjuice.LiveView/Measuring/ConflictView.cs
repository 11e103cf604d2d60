using Polyjuice.Contracts;
using Polyjuice.Diagnostics;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Measuring;

/// <summary>
/// The hottest grains of all engines. Engines count conflicts only while
/// somebody asks, so it asks only while somebody looks. Thread-safe.
/// </summary>
/// <param name="inspection">Of the engines.</param>
/// <param name="time">The clock by which a report is old.</param>
internal sealed class ConflictView(IEngineInspection inspection, TimeProvider time)
{
    /// <summary>How many are shown.</summary>
    public const int Max = 20;

    /// <summary>An engine that has reported nothing new for so long has no transactions any more, or is gone.</summary>
    public static readonly TimeSpan Lasting = TimeSpan.FromSeconds(4);

    /// <summary>Who has not looked for so long has gone.</summary>
    private static readonly TimeSpan s_attention = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private readonly Dictionary<NodeId, (long Number, long SeenAt)> _seen = [];
    private long? _lookedAt;

    /// <summary>The hottest grains, the hottest first; none in the first second in which somebody looks.</summary>
    public IReadOnlyList<HotGrain> Look()
    {
        lock (_gate) _lookedAt = time.GetTimestamp();
        return Ask();
    }

    /// <summary>
    /// The same for who keeps a record: none while nobody looks, so that keeping it costs engines nothing then.
    /// </summary>
    public IReadOnlyList<HotGrain> WhileLookedAt()
    {
        lock (_gate)
        {
            if (_lookedAt is not { } at || time.GetElapsedTime(at) > s_attention) return [];
        }

        return Ask();
    }

    private List<HotGrain> Ask()
    {
        var reports = inspection.Conflicts();
        lock (_gate)
        {
            foreach (var (node, report) in reports)
            {
                if (!_seen.TryGetValue(node, out var seen) || seen.Number != report.Number)
                    _seen[node] = (report.Number, time.GetTimestamp());
            }

            foreach (var gone in _seen.Keys.Except(reports.Select(report => report.Key)).ToArray()) _seen.Remove(gone);
            return [
                .. reports.Where(report => time.GetElapsedTime(_seen[report.Key].SeenAt) < Lasting)
                .SelectMany(report => report.Value.Grains).OrderByDescending(grain => grain.ConflictsPerSecond)
                .Take(Max)
            ];
        }
    }
}
