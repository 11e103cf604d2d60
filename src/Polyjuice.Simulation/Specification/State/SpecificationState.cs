using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.State;

/// <summary>
/// The abstract state: logs, owners, transactions, nodes. It follows
/// from the events that were accepted, and from nothing else.
/// </summary>
internal sealed class SpecificationState
{
    private readonly Dictionary<NodeId, NodeModel> _nodes = [];
    private readonly Dictionary<int, LogModel> _logs = [];
    private readonly Dictionary<TransactionId, TransactionModel> _transactions = [];
    private long _question;
    private int _depth;

    /// <summary>A node.</summary>
    public NodeModel Node(NodeId id)
    {
        if (!_nodes.TryGetValue(id, out var node)) _nodes.Add(id, node = new NodeModel());
        return node;
    }

    /// <summary>A log, or a row.</summary>
    public LogModel Log(int partition)
    {
        if (!_logs.TryGetValue(partition, out var log)) _logs.Add(partition, log = new LogModel(partition));
        return log;
    }

    /// <summary>An attempt.</summary>
    public TransactionModel Transaction(TransactionId id)
    {
        if (!_transactions.TryGetValue(id, out var transaction))
            _transactions.Add(id, transaction = new TransactionModel(id));
        return transaction;
    }

    /// <summary>The owner of a partition at a node.</summary>
    public OwnerModel? Owner(NodeId node, int partition) => Node(node).Owners.GetValueOrDefault(partition);

    /// <summary>The same, if it is in that epoch.</summary>
    public OwnerModel? Owner(NodeId node, int partition, long epoch) =>
        Owner(node, partition) is { } owner && owner.Epoch == epoch ? owner : null;

    /// <summary>
    /// Whether a rival of an owner, who may not know that it was deposed, has something that an attempt holds.
    /// </summary>
    public bool IsHeldAtRival(OwnerModel owner, TransactionId id)
    {
        foreach (var node in _nodes.Values)
        {
            if (node.Owners.GetValueOrDefault(owner.Partition) is not { } rival || rival == owner) continue;
            foreach (var queue in rival.Queues.Values)
            {
                if (queue.Requests.Exists(request => request.Id == id && request.IsHeld)) return true;
            }
        }

        return false;
    }

    /// <summary>
    /// Whether an agent will never ask for an attempt's outcome again: it has told its caller, or is dead (V6).
    /// </summary>
    public bool IsAgentDone(TransactionId id) => Transaction(id).IsTold || Node(id.Node).IsDead;

    /// <summary>The same, or others take its node for dead.</summary>
    public bool IsAgentGivenUp(TransactionId id) => IsAgentDone(id) || Node(id.Node).IsDeclaredDead;

    /// <summary>Whether a node has heard that an attempt is over at its agent (R1c).</summary>
    public bool IsKnownToBeOver(NodeId node, TransactionId id) =>
        node != id.Node && id.Sequence < Node(node).OldestLive.GetValueOrDefault(id.Node);

    /// <summary>
    /// Whether it may be said that a transaction has committed: its commit record is durable, or all prepares of what
    /// is staged are, and the same is true of all that it depends on (V1, V5).
    /// What is only staged may still abort, if its manager logs that first.
    /// </summary>
    public bool HasCommitted(TransactionId id)
    {
        var transaction = Transaction(id);
        if (transaction.Outcome is { } outcome) return outcome;

        // What a manager in a row has decided is not always seen in the row, which folds away what is over.
        if (PartitionNames.IsRow(transaction.Manager)) return true;
        if (transaction.IsBeingResolved) return false;
        if (Begin(transaction.HasCommittedIn) is { } known) return known;
        transaction.IsBeingResolved = true;
        var hasCommitted = IsRecorded(transaction) || IsPrepared(transaction);
        transaction.IsBeingResolved = false;
        transaction.HasCommittedIn = End(hasCommitted);
        return hasCommitted;
    }

    /// <summary>
    /// Whether it is decided that a transaction has committed: that was
    /// said, or follows from commit records. Nobody may abort it any more.
    /// </summary>
    public bool IsDecided(TransactionId id)
    {
        var transaction = Transaction(id);
        if (transaction.Outcome is { } outcome) return outcome;
        if (transaction.Commit is not { } commit || transaction.IsBeingResolved) return false;
        if (Log(transaction.CommitLog).Resolutions.TryGetValue(id, out var resolution)) return resolution;
        if (Begin(transaction.IsDecidedIn) is { } known) return known;
        transaction.IsBeingResolved = true;
        var isDecided = Array.TrueForAll(commit.Dependencies, dependency => IsDecided(dependency.Transaction));
        transaction.IsBeingResolved = false;
        transaction.IsDecidedIn = End(isDecided);
        return isDecided;
    }

    // In one question each transaction is looked at once: there are
    // as many ways to one as there are paths of dependencies.
    private bool? Begin(QuestionAnswer earlier)
    {
        if (_depth == 0) _question++;
        if (earlier.Question == _question) return earlier.Answer;
        _depth++;
        return null;
    }

    private QuestionAnswer End(bool answer)
    {
        _depth--;
        return new QuestionAnswer(_question, answer);
    }

    /// <summary>Whether all participants of what is staged have its prepare.</summary>
    public bool IsPreparedByAll(TransactionModel transaction)
    {
        if (transaction.Staged is not { } staged) return false;
        foreach (var part in staged.Parts)
        {
            if (!Log(part.Partition).PreparedRounds.Contains((transaction.Id, staged.Round))) return false;
        }

        return true;
    }

    private bool IsRecorded(TransactionModel transaction)
    {
        if (transaction.Commit is not { } commit) return false;
        if (Log(transaction.CommitLog).Resolutions.TryGetValue(transaction.Id, out var resolution)) return resolution;
        return Array.TrueForAll(commit.Dependencies, dependency => HasCommitted(dependency.Transaction));
    }

    private bool IsPrepared(TransactionModel transaction)
    {
        if (!IsPreparedByAll(transaction)
            || Log(transaction.StagedLog).Outcomes.GetValueOrDefault(transaction.Id, true) == false)
            return false;
        foreach (var part in transaction.Staged!.Parts)
        {
            foreach (var (dependency, _) in Log(part.Partition).Prepares[transaction.Id].Dependencies)
            {
                if (!HasCommitted(dependency)) return false;
            }
        }

        return true;
    }
}
