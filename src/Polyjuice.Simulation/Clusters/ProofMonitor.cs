using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Simulation.Events;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Specification;
using Polyjuice.Simulation.Storage;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Clusters;

/// <summary>
/// Knows what the logs hold, whoever wrote it, and listens to what engines say: what must be in a log before it is
/// said, or applied, is there. Histories show the breach of these rules only after a chain of rare events, of which
/// each may end the run's chance to notice.
/// </summary>
internal sealed class ProofMonitor
{
    private readonly HashSet<(int Partition, TransactionId Id, int Round)> _prepares = [];
    private readonly Dictionary<TransactionId, (int Manager, int Round, int[] Partitions)> _staged = [];
    private readonly HashSet<TransactionId> _depending = [];
    private readonly HashSet<(int Partition, TransactionId Id)> _commits = [];
    private readonly HashSet<(int Partition, TransactionId Id)> _commitsWithDependencies = [];
    private readonly HashSet<(int Partition, TransactionId Id)> _resolvedCommits = [];
    private readonly HashSet<(int Partition, TransactionId Id)> _resolvedAborts = [];
    private readonly HashSet<(int Partition, TransactionId Id)> _committedOutcomes = [];
    private readonly HashSet<(int Partition, TransactionId Id)> _abortedOutcomes = [];

    /// <summary>Whose batches may come now.</summary>
    public FenceMonitor Fences { get; } = new();

    /// <summary>A prepare record is in its log.</summary>
    public void Prepared(int partition, TransactionId id, int round) => _prepares.Add((partition, id, round));

    /// <summary>The same in a log that is no row's.</summary>
    public void Prepared(int partition, RecoveredPrepare prepare)
    {
        Prepared(partition, prepare.Id, prepare.Round);
        if (prepare.Dependencies.Count > 0) _depending.Add(prepare.Id);
        if (prepare.IsStaged)
            _staged[prepare.Id] = (partition, prepare.Round, [.. prepare.Parts.Select(part => part.Partition)]);
    }

    /// <summary>A record is in its log.</summary>
    public void Written(int partition, in TappedRecord record)
    {
        var set = (record.Kind, record.Value) switch
        {
            (LogRecordKind.Commit, _) => _commits,
            (LogRecordKind.Resolved, 0L) => _resolvedAborts,
            (LogRecordKind.Resolved, _) => _resolvedCommits,
            (LogRecordKind.Outcome, 0L) => _abortedOutcomes,
            (LogRecordKind.Outcome, _) => _committedOutcomes,
            _ => null,
        };
        set?.Add((partition, record.Transaction));
        if (record is { Kind: LogRecordKind.Commit, Value: > 0 })
            _commitsWithDependencies.Add((partition, record.Transaction));
    }

    /// <summary>An engine says something to another, and the rest in the same batch.</summary>
    public void Said(in Message message, ReadOnlySpan<Message> rest = default)
    {
        var from = (message.FromPartition, message.Transaction);
        switch (message.Kind)
        {
            // V1: who writes, or has an undecided dependency, votes when its prepare is durable.
            case MessageKind.Vote when message.Partition >= 0
                && VoteMessage.Read(message) is { IsLogged: true } or { Dependencies.Length: > 0 }:
                var vote = VoteMessage.Read(message);
                if (_prepares.Contains((vote.FromPartition, vote.Transaction, vote.Round))
                    || IsOnAbortedInRow(vote) || IsTakenBackByRow(vote, rest))
                    break;
                throw new SimulationFailedException(
                    "vote-without-record",
                    $"partition {vote.FromPartition} votes for {vote.Transaction}, round {vote.Round}, with "
                    + $"{vote.Dependencies?.Length ?? 0} undecided dependencies, and its log has no prepare");

            // V2, V4: what all have prepared, and what depends on nothing,
            // has committed, unless the manager's log says otherwise.
            case MessageKind.Outcome or MessageKind.AgentOutcome
                when ToldOutcome.Of(message) is { IsCommitted: false, IsUnknown: false }
                && IsPrepared(message.Transaction, out var aborting)
                && !_depending.Contains(message.Transaction)
                && !_abortedOutcomes.Contains((aborting, message.Transaction)):
                throw new SimulationFailedException(
                    "abort-of-prepared",
                    $"partition {message.FromPartition} says that {message.Transaction} aborted; all its participants "
                    + $"have prepared it, and partition {aborting} has no abort in its log");

            // V1: what is staged commits by its prepares, and by nothing less.
            case MessageKind.AgentOutcome when ToldOutcome.Of(message) is { IsCommitted: true }
                && _staged.TryGetValue(message.Transaction, out var staged)
                && !_commits.Contains((staged.Manager, message.Transaction)) && !IsPrepared(message.Transaction, out _):
                throw new SimulationFailedException(
                    "commit-without-prepares",
                    $"partition {message.FromPartition} says that {message.Transaction} committed, and not all logs "
                    + "have its prepare");

            // V6: who hears that it is final may forget it.
            case MessageKind.Outcome when ToldOutcome.Of(message) is { IsCommitted: true, IsFinal: true }
                && _staged.TryGetValue(message.Transaction, out var final)
                && !_commits.Contains((final.Manager, message.Transaction)):
                throw new SimulationFailedException(
                    "final-without-record",
                    $"partition {message.FromPartition} says that the commit of {message.Transaction} is final; "
                    + $"partition {final.Manager} has no record of it");

            // V4: whose commit record is in the log is said to be aborted after the log says so.
            case MessageKind.Outcome or MessageKind.AgentOutcome
                when ToldOutcome.Of(message) is { IsCommitted: false, IsUnknown: false }:
                if (!_commits.Contains(from) || _resolvedAborts.Contains(from)) break;
                throw new SimulationFailedException(
                    "abort-without-record",
                    $"partition {message.FromPartition} says that {message.Transaction} aborted; its log has the "
                    + "commit record, and no resolution");

            // V5: that it is final is said after the log says that all dependencies committed.
            case MessageKind.Outcome when ToldOutcome.Of(message) is { IsCommitted: true, IsFinal: true }:
                if (!_commitsWithDependencies.Contains(from) || _resolvedCommits.Contains(from)
                    || _committedOutcomes.Contains(from))
                    break;
                throw new SimulationFailedException(
                    "final-without-record",
                    $"partition {message.FromPartition} says that the commit of {message.Transaction} is final; its "
                    + "log has dependencies of it, and no resolution");

            // V6: what is acknowledged is in the log.
            case MessageKind.Acknowledge:
                if (_committedOutcomes.Contains(from) || _commits.Contains(from)) break;
                throw new SimulationFailedException(
                    "acknowledgement-without-record",
                    $"partition {message.FromPartition} acknowledges the outcome of {message.Transaction}, which is "
                    + "not in its log");
        }
    }

    private bool IsPrepared(TransactionId id, out int manager)
    {
        manager = -1;
        if (!_staged.TryGetValue(id, out var staged)) return false;
        manager = staged.Manager;
        return Array.TrueForAll(staged.Partitions, partition => _prepares.Contains((partition, id, staged.Round)));
    }

    /// <summary>
    /// One store may hold both a prepare and the abort of what it was built on, decided here or told by a manager
    /// elsewhere: then the row has neither, and the vote names a dependency that is aborted for good. V1 asks for the
    /// record so that an outcome is kept for those who depend on it (V6); whoever finds nothing of the dependency here,
    /// now or later, takes it for aborted, which it is.
    /// </summary>
    private bool IsOnAbortedInRow(in VoteMessage vote)
    {
        if (!PartitionNames.IsRow(vote.FromPartition)) return false;
        foreach (var dependency in vote.Dependencies ?? [])
        {
            var arose = (dependency.Partition, dependency.Transaction);
            if (dependency.Partition == vote.FromPartition
                && (_abortedOutcomes.Contains(arose) || _resolvedAborts.Contains(arose)))
                return true;
        }

        return false;
    }

    /// <summary>
    /// The same, where what it was built on fell with something else and left no record either: then the row asks the
    /// manager to abort in the very batch in which it votes.
    /// </summary>
    private static bool IsTakenBackByRow(in VoteMessage vote, ReadOnlySpan<Message> rest)
    {
        if (!PartitionNames.IsRow(vote.FromPartition)) return false;
        foreach (ref readonly var message in rest)
        {
            if (message.Kind == MessageKind.AbortRequest && message.Transaction == vote.Transaction
                && message.FromPartition == vote.FromPartition)
                return true;
        }

        return false;
    }

    /// <summary>
    /// The prepared transaction of which a batch that is about to be received says "unknown", if it has nothing else to
    /// say: then nothing but that can abort it in this turn.
    /// </summary>
    public static Branch? Inferred(SimulatedNode node, byte[] batch)
    {
        if (!node.Engine.Mail.IsLocalEmpty) return null;
        var unknown = default(Message);
        foreach (var message in WireTap.Read(batch).Messages)
        {
            if (message.Kind == MessageKind.News) continue;
            if (message.Kind != MessageKind.Outcome || !OutcomeMessage.Read(message).IsUnknown
                || unknown.Kind != default)
                return null;
            unknown = message;
        }

        if (unknown.Kind == default || OwnerOf(node, unknown.Partition) is not { } owner) return null;
        var branch = owner.Branches.FirstOrDefault(b => b.Id == unknown.Transaction);
        return branch is { State: BranchState.Logged } ? branch : null;
    }

    // Taps and nodes number rows each for themselves.
    private static PartitionOwner? OwnerOf(SimulatedNode node, int partition) =>
        node.Engine.Partitions.Owner(WireTap.Names.TryGetKey(partition, out var key)
            ? node.Engine.Names.NumberOf(key)
            : partition);

    /// <summary>V4: an abort that was inferred from "unknown" is in the log before it is applied.</summary>
    public void Received(SimulatedNode node, Branch inferred)
    {
        if (inferred.State != BranchState.Aborted) return;
        var partition = node.Engine.Names.TryGetKey(inferred.Owner.Partition, out var key)
            ? WireTap.Names.NumberOf(key)
            : inferred.Owner.Partition;
        if (_abortedOutcomes.Contains((partition, inferred.Id))) return;
        throw new SimulationFailedException(
            "inference-without-record",
            $"{node.Id} aborts {inferred.Id} at partition {inferred.Owner.Partition} because its manager does not know "
            + "it, and that is not in the log");
    }
}
