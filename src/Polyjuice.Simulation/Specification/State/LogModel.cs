using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Storage;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>What a log says: the fold of its records, and of nothing else (L2).</summary>
internal sealed class LogModel(int partition)
{
    /// <summary>Which.</summary>
    public int Partition { get; } = partition;

    /// <summary>How many batches there are.</summary>
    public long End => Batches.Count;

    /// <summary>The batches that there are, and where.</summary>
    public Dictionary<BatchId, long> Batches { get; } = [];

    /// <summary>The batch with the latest fence (L1).</summary>
    public BatchId? Fence { get; set; }

    /// <summary>The epoch that this fence began.</summary>
    public long Epoch { get; set; }

    /// <summary>The owner of each epoch, as its fence and what is before that make it.</summary>
    public Dictionary<long, OwnerModel> Owners { get; } = [];

    /// <summary>
    /// The latest prepare of each transaction, in the order in which they
    /// were logged: a later round replaces the earlier one, at its own place.
    /// </summary>
    public OrderedDictionary<TransactionId, RecoveredPrepare> Prepares { get; } = [];

    /// <summary>Each round of which there is a prepare.</summary>
    public HashSet<(TransactionId Id, int Round)> PreparedRounds { get; } = [];

    /// <summary>Commit records.</summary>
    public Dictionary<TransactionId, RecoveredCommit> Commits { get; } = [];

    /// <summary>What became of the dependencies that commit records name.</summary>
    public Dictionary<TransactionId, bool> Resolutions { get; } = [];

    /// <summary>Outcomes, as participants logged them.</summary>
    public Dictionary<TransactionId, bool> Outcomes { get; } = [];

    /// <summary>Commits that were logged as outcomes, and in which epoch.</summary>
    public HashSet<(TransactionId Id, long Epoch)> CommitsKnown { get; } = [];

    /// <summary>The nodes of which it says that they are dead (V6).</summary>
    public HashSet<NodeId> Deaths { get; } = [];

    /// <summary>The largest ceiling.</summary>
    public long Ceiling { get; set; }

    /// <summary>The largest timestamp of any prepare.</summary>
    public long Latest { get; set; }

    /// <summary>The owner whose batches are written now.</summary>
    public OwnerModel? Owner => Owners.GetValueOrDefault(Epoch);

    /// <summary>Of a row: its stores, by position.</summary>
    public Dictionary<long, RowStore> Stores { get; } = [];

    /// <summary>Of a row: the latest of them.</summary>
    public RowStore? LastStore { get; set; }

    /// <summary>Committed, aborted, or undecided as far as this log alone can tell.</summary>
    public bool? OutcomeOf(TransactionId id)
    {
        if (Outcomes.TryGetValue(id, out var outcome)) return outcome;
        if (Resolutions.TryGetValue(id, out var resolution)) return resolution;
        return Commits.TryGetValue(id, out var commit) && commit.Dependencies.Length == 0 ? true : null;
    }

    /// <summary>For people.</summary>
    public override string ToString() => $"log {Partition}, {End} batches, epoch {Epoch}";
}
