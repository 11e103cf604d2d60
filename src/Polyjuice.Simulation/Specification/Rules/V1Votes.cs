using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// V1: a vote names a round, and follows the durable prepare of who writes
/// or depends on what is undecided; only votes of one round count together.
/// </summary>
internal static class V1Votes
{
    private const string Rule = "V1";

    /// <summary>A vote is for what is ordered, names what is undecided, and follows the record.</summary>
    public static void Check(SpecificationState state, OwnerModel owner, in OwnerSaid e)
    {
        if (owner.IsRow) return;
        var vote = VoteMessage.Read(e.Message);
        var branch = owner.Find(vote.Transaction);
        if (branch is not { Status: BranchStatus.Ordered or BranchStatus.Committed } || branch.Round != vote.Round
            || branch.Timestamp != vote.Timestamp)
            throw Rejected.By(Rule, e.ToString(), $"it votes for what it has not ordered so: {branch}");
        if (vote.ManagerEpoch != branch.ManagerEpoch || vote.Epoch != owner.Epoch)
            throw Rejected.By(Rule, e.ToString(), $"the vote names other epochs: {branch}, {owner}");
        var named = vote.Dependencies ?? [];
        foreach (var dependency in branch.Dependencies)
        {
            if (!Array.Exists(named, other => other.Transaction == dependency) && !state.HasCommitted(dependency))
                throw Rejected.By(
                    Rule, e.ToString(), $"it depends on {dependency}, which is undecided, and does not say so");
        }

        if (vote.Partition < 0 || (!branch.HasWrites && named.Length == 0 && !vote.IsLogged)) return;
        if (!owner.Log.PreparedRounds.Contains((vote.Transaction, vote.Round)))
            throw Rejected.By(Rule, e.ToString(), "its log has no prepare of that round");
    }

    /// <summary>A commit record follows the votes of all participants for its round and its timestamp.</summary>
    public static void Check(TransactionModel transaction, RecoveredCommit commit, in BatchWritten e)
    {
        if (commit.Parts.Length == 1) return;
        foreach (var part in commit.Parts)
            Require(transaction, part.Partition, commit.Round, commit.Timestamp, e.ToString());
    }

    /// <summary>What commits is what was voted for, at the timestamp that was voted for.</summary>
    public static void CheckCommit(TransactionModel transaction, BranchModel branch, in BranchEnded e)
    {
        if (!branch.HasWrites || PartitionNames.IsRow(transaction.Manager)
            || transaction.CommitTimestamp is not { } timestamp || timestamp == branch.Timestamp)
            return;
        throw Rejected.By(Rule, e.ToString(), $"it commits at {timestamp}, and was ordered otherwise here: {branch}");
    }

    /// <summary>Who wrote nothing has committed when all participants have voted in one round.</summary>
    public static void CheckReads(TransactionModel transaction, in CallerTold e)
    {
        if (transaction.Prepares.Count == 0) return;
        var round = transaction.Prepares[^1].Round;
        foreach (var part in transaction.Parts)
        {
            if (transaction.VoteOf(part.Partition, round) is null)
                throw Rejected.By(
                    Rule, e.ToString(), $"partition {part.Partition} has not voted in round {round}: {transaction}");
        }
    }

    /// <summary>What must be true before a commit is told: the record is durable, or the prepares are.</summary>
    public static string WhyNotCommitted(SpecificationState state, TransactionId id)
    {
        var transaction = state.Transaction(id);
        return transaction.Commit is null && !state.IsPreparedByAll(transaction) ? Rule : "V5";
    }

    private static void Require(TransactionModel transaction, int partition, int round, long timestamp, string happened)
    {
        if (transaction.VoteOf(partition, round) is not { } vote || vote.Timestamp != timestamp)
            throw Rejected.By(
                Rule,
                happened,
                $"partition {partition} has not voted for round {round} at {timestamp}: {transaction}");
    }
}
