using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Waits;

namespace Polyjuice.Lab.Clusters;

/// <summary>Sums over all silos of a cluster, since it started or, as a difference, during an interval.</summary>
internal sealed record ClusterCounters
{
    private static readonly string[] _reasons = Enum.GetNames<AbortReason>();

    /// <summary>Committed transactions.</summary>
    public long Commits { get; init; }

    /// <summary>Attempts at transactions that were started.</summary>
    public long Attempts { get; init; }

    /// <summary>Aborted attempts by reason; reasons that never came up may be missing.</summary>
    public IReadOnlyDictionary<string, long> AbortsByReason { get; init; } = new Dictionary<string, long>();

    /// <summary>Ended attempts by transaction type.</summary>
    public IReadOnlyDictionary<string, long> AttemptsByType { get; init; } = new Dictionary<string, long>();

    /// <summary>
    /// Attempts by transaction type that the system aborted; those that the application refused are not among them.
    /// </summary>
    public IReadOnlyDictionary<string, long> AbortsByType { get; init; } = new Dictionary<string, long>();

    /// <summary>Waits for other transactions.</summary>
    public long Waits { get; init; }

    /// <summary>Waits that ended by their deadline.</summary>
    public long WaitsEndedByDeadline { get; init; }

    /// <summary>Messages between nodes (silos and client): calls, answers and batches of engine messages.</summary>
    public long Messages { get; init; }

    /// <summary>Bytes of those messages.</summary>
    public long Bytes { get; init; }

    /// <summary>Log appends.</summary>
    public long Appends { get; init; }

    /// <summary>Bytes of those appends.</summary>
    public long AppendBytes { get; init; }

    /// <summary>Checkpoints made.</summary>
    public long Checkpoints { get; init; }

    /// <summary>What engines have counted.</summary>
    /// <param name="engine">Their sum.</param>
    /// <param name="messages">Messages between nodes.</param>
    /// <param name="bytes">Bytes of those messages.</param>
    public static ClusterCounters Of(EngineStatistics engine, long messages, long bytes)
    {
        var aborts = new Dictionary<string, long>();
        for (var reason = 0; reason < _reasons.Length; reason++)
        {
            if (engine.AbortsByReason[reason] > 0) aborts.Add(_reasons[reason], engine.AbortsByReason[reason]);
        }

        return new ClusterCounters
        {
            Commits = engine.Commits,
            Attempts = engine.Attempts,
            AbortsByReason = aborts,
            AttemptsByType = engine.ByType.ToDictionary(type => type.Type, type => type.Attempts),
            AbortsByType = engine.ByType.ToDictionary(type => type.Type, type => type.Aborts),
            Waits = engine.Waits,
            WaitsEndedByDeadline = engine.WaitsEndedByDeadline,
            Messages = messages,
            Bytes = bytes,
            Appends = engine.Appends,
            AppendBytes = engine.AppendBytes,
            Checkpoints = engine.Checkpoints,
        };
    }

    /// <summary>What was counted after <paramref name="earlier"/>.</summary>
    public ClusterCounters Since(ClusterCounters earlier) => new()
    {
        Commits = Commits - earlier.Commits,
        Attempts = Attempts - earlier.Attempts,
        AbortsByReason = Since(AbortsByReason, earlier.AbortsByReason),
        AttemptsByType = Since(AttemptsByType, earlier.AttemptsByType),
        AbortsByType = Since(AbortsByType, earlier.AbortsByType),
        Waits = Waits - earlier.Waits,
        WaitsEndedByDeadline = WaitsEndedByDeadline - earlier.WaitsEndedByDeadline,
        Messages = Messages - earlier.Messages,
        Bytes = Bytes - earlier.Bytes,
        Appends = Appends - earlier.Appends,
        AppendBytes = AppendBytes - earlier.AppendBytes,
        Checkpoints = Checkpoints - earlier.Checkpoints,
    };

    private static Dictionary<string, long> Since(
        IReadOnlyDictionary<string, long> counts, IReadOnlyDictionary<string, long> earlier) =>
        counts.ToDictionary(count => count.Key, count => count.Value - earlier.GetValueOrDefault(count.Key));
}
