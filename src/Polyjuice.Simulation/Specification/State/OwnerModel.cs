using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>An owner of a partition, in one epoch.</summary>
internal sealed class OwnerModel(NodeId node, int partition, long epoch, LogModel log)
{
    private readonly Dictionary<ParticipantKey, ChainModel> _chains = [];

    /// <summary>Where it runs.</summary>
    public NodeId Node { get; } = node;

    /// <summary>What it owns.</summary>
    public int Partition { get; } = partition;

    /// <summary>Its epoch: the position behind its fence.</summary>
    public long Epoch { get; } = epoch;

    /// <summary>Its log.</summary>
    public LogModel Log { get; } = log;

    /// <summary>Whether the partition is a row.</summary>
    public bool IsRow { get; } = PartitionNames.IsRow(partition);

    /// <summary>Whether its fence is there: false of who has loaded a row, and not stored it yet (L1).</summary>
    public bool IsFenced { get; set; } = true;

    /// <summary>Of who fences a row with its first store: what it has loaded.</summary>
    public RowContents? Loaded { get; init; }

    /// <summary>The same: the row's latest store then.</summary>
    public RowStore? LoadedAfter { get; init; }

    /// <summary>
    /// Before its fence, the log says that its node is dead (V6). What comes after that it can't know.
    /// </summary>
    public bool ReadsOwnDeath { get; init; }

    /// <summary>Whether it has begun to serve.</summary>
    public bool Serves { get; set; }

    /// <summary>The durable timestamp ceiling of this epoch (L4).</summary>
    public long Ceiling { get; set; }

    /// <summary>The largest ceiling or timestamp of its predecessors: it orders writes above that (L4).</summary>
    public long Floor { get; set; }

    /// <summary>The transactions that it knows.</summary>
    public Dictionary<TransactionId, BranchModel> Branches { get; } = [];

    /// <summary>Versions that have ever been made here, so that none is made twice (R1a).</summary>
    public HashSet<VersionId> Made { get; } = [];

    /// <summary>
    /// Ordered transactions whose versions have left the chain with what they were built on: they abort at once (R4).
    /// </summary>
    public HashSet<TransactionId> Doomed { get; } = [];

    /// <summary>
    /// The batches that it has asked for, with the order in which it did, as far as they are not known to be written.
    /// </summary>
    public List<AskedBatch> Asked { get; } = [];

    /// <summary>How many batches it has asked for.</summary>
    public int AsksMade { get; set; }

    /// <summary>The number of the latest batch that is written, counted as <see cref="AsksMade"/>.</summary>
    public int AskWritten { get; set; }

    /// <summary>
    /// For each promise (V2) of which it has not said anything yet, how many batches had been asked for by then.
    /// </summary>
    public Dictionary<(TransactionId Id, int Round), Queue<int>> Promises { get; } = [];

    /// <summary>
    /// Transactions whose commit record is in a batch that it has asked for, and that is not known to be written (V3).
    /// </summary>
    public HashSet<TransactionId> Recording { get; } = [];

    /// <summary>Transactions of which it has asked to log a staged prepare, with the round.</summary>
    public HashSet<(TransactionId Id, int Round)> Staged { get; } = [];

    /// <summary>A participant's versions.</summary>
    public ChainModel ChainOf(ParticipantKey key)
    {
        if (!_chains.TryGetValue(key, out var chain)) _chains.Add(key, chain = new ChainModel());
        return chain;
    }

    /// <summary>Of a row, whose older versions are gone: the chain begins with the one that is committed.</summary>
    public void BeginChain(ParticipantKey key, VersionId committed, long timestamp) =>
        _chains[key] = new ChainModel(committed, timestamp);

    /// <summary>Who depends on a transaction, or did in an earlier round (V6).</summary>
    public Dictionary<TransactionId, List<BranchModel>> Dependents { get; } = [];

    /// <summary>Transactions that it has said to have aborted.</summary>
    public HashSet<TransactionId> AbortsSaid { get; } = [];

    /// <summary>
    /// Staged transactions that an earlier epoch may have committed,
    /// and of which it has not asked the participants (V2).
    /// </summary>
    public HashSet<TransactionId> Unasked { get; } = [];

    /// <summary>The queues of reservations that somebody is in (Q1).</summary>
    public Dictionary<ParticipantKey, QueueModel> Queues { get; } = [];

    /// <summary>A branch depends on transactions.</summary>
    public void SetDependencies(BranchModel branch, IReadOnlyList<TransactionId> dependencies)
    {
        branch.Dependencies = dependencies;
        foreach (var dependency in dependencies)
        {
            if (!Dependents.TryGetValue(dependency, out var dependents)) Dependents.Add(dependency, dependents = []);
            if (!dependents.Contains(branch)) dependents.Add(branch);
        }
    }

    /// <summary>What is known of a transaction, or nothing.</summary>
    public BranchModel? Find(TransactionId id) => Branches.GetValueOrDefault(id);

    /// <summary>The same; a new one if there is none.</summary>
    public BranchModel GetOrAdd(TransactionId id)
    {
        if (!Branches.TryGetValue(id, out var branch)) Branches.Add(id, branch = new BranchModel(id));
        return branch;
    }

    /// <summary>For people.</summary>
    public override string ToString() =>
        $"partition {Partition} of {Node}, epoch {Epoch}, ceiling {Ceiling}, floor {Floor}";
}
