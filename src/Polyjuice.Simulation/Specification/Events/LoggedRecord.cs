using Polyjuice.Contracts;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Specification.Events;

/// <summary>One record of a log, as the specification reads it.</summary>
internal sealed class LoggedRecord
{
    /// <summary>Which kind.</summary>
    public required LogRecordKind Kind { get; init; }

    /// <summary>Whose; none of a fence, a ceiling, an oldest live attempt.</summary>
    public TransactionId Id { get; init; }

    /// <summary>Of a prepare, staged or not.</summary>
    public RecoveredPrepare? Prepare { get; init; }

    /// <summary>Of a commit.</summary>
    public RecoveredCommit? Commit { get; init; }

    /// <summary>Of an outcome or a resolution.</summary>
    public bool Committed { get; init; }

    /// <summary>Of a ceiling.</summary>
    public long Ceiling { get; init; }

    /// <summary>Of a fence: the owner.</summary>
    public NodeId Node { get; init; }

    /// <summary>Of what is said of oldest live attempts: the nodes that have none, because they are dead.</summary>
    public IReadOnlyList<NodeId> Dead { get; init; } = [];

    /// <summary>For people.</summary>
    public override string ToString() => Kind switch
    {
        LogRecordKind.Fence => $"Fence {Node}",
        LogRecordKind.Ceiling => $"Ceiling {Ceiling}",
        LogRecordKind.Prepare or LogRecordKind.Staged => $"{Kind} {Id} round {Prepare!.Round}",
        LogRecordKind.Outcome or LogRecordKind.Resolved => $"{Kind} {Id}={(Committed ? "committed" : "aborted")}",
        LogRecordKind.OldestLive => $"OldestLive, dead: {string.Join(' ', Dead)}",
        _ => $"{Kind} {Id}",
    };
}
