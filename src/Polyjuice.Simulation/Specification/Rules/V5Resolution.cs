using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// V5: a transaction commits only if all do that it depends on; its record names those that are undecided, and confirms
/// are final when the resolution is durable.
/// </summary>
internal static class V5Resolution
{
    private const string Rule = "V5";

    /// <summary>A commit record names each dependency that a vote named, unless it has committed.</summary>
    public static void Check(
        SpecificationState state, TransactionModel transaction, RecoveredCommit commit, in BatchWritten e)
    {
        foreach (var vote in transaction.Votes)
        {
            if (vote.Round != commit.Round) continue;
            foreach (var dependency in vote.Dependencies)
            {
                if (Array.Exists(commit.Dependencies, named => named.Transaction == dependency.Transaction)
                    || state.HasCommitted(dependency.Transaction))
                    continue;
                throw Rejected.By(
                    Rule,
                    e.ToString(),
                    $"partition {vote.Partition} has named {dependency.Transaction} as undecided, and the record does "
                    + $"not: {state.Transaction(dependency.Transaction)}");
            }
        }
    }

    /// <summary>That all dependencies have committed, or not, is logged when it is so.</summary>
    public static void CheckResolved(
        SpecificationState state, TransactionModel transaction, bool committed, in BatchWritten e)
    {
        if (transaction.Commit is not { } commit)
            throw Rejected.By(Rule, e.ToString(), $"there is no commit record: {transaction}");
        if (committed
            ? Array.TrueForAll(commit.Dependencies, d => state.HasCommitted(d.Transaction))
            : !Array.TrueForAll(commit.Dependencies, d => state.IsDecided(d.Transaction)))
            return;
        throw Rejected.By(
            Rule,
            e.ToString(),
            $"it depends on {string.Join("; ", commit.Dependencies.Select(d => state.Transaction(d.Transaction)))}");
    }

    /// <summary>It is said that a transaction has committed when it has.</summary>
    public static void CheckCommitted(SpecificationState state, TransactionId id, string happened)
    {
        if (state.HasCommitted(id)) return;
        var transaction = state.Transaction(id);
        var rule = transaction.Outcome == false ? "V4" : V1Votes.WhyNotCommitted(state, id);
        throw Rejected.By(
            rule,
            happened,
            "it has not committed: "
            + $"{transaction}{(transaction.Commit is { } commit ? $"; it depends on {string.Join("; ", commit.Dependencies.Select(d => state.Transaction(d.Transaction)))}" : "")}");
    }

    /// <summary>
    /// Confirms are final when the log says that all dependencies have
    /// committed; of what is staged, when it has the commit record.
    /// </summary>
    public static void CheckFinal(
        SpecificationState state, OwnerModel owner, TransactionModel transaction, in OwnerSaid e)
    {
        if (owner.IsRow || PartitionNames.IsRow(transaction.Manager)) return;
        if (transaction.Commit is not { } commit)
            throw Rejected.By("V6", e.ToString(), $"no log has the commit record: {transaction}");
        var log = state.Log(transaction.CommitLog);
        if (commit.Dependencies.Length == 0 || log.Resolutions.GetValueOrDefault(transaction.Id)
            || log.Outcomes.GetValueOrDefault(transaction.Id))
            return;
        throw Rejected.By(Rule, e.ToString(), $"the log has dependencies of it, and no resolution: {transaction}");
    }

    /// <summary>Who wrote nothing has committed when all has that it depends on.</summary>
    public static void CheckReads(SpecificationState state, TransactionModel transaction, in CallerTold e)
    {
        if (transaction.Prepares.Count == 0) return;
        var round = transaction.Prepares[^1].Round;
        foreach (var vote in transaction.Votes)
        {
            if (vote.Round != round) continue;
            foreach (var dependency in vote.Dependencies)
            {
                if (!state.HasCommitted(dependency.Transaction))
                    throw Rejected.By(
                        Rule,
                        e.ToString(),
                        $"it depends on what has not committed: {state.Transaction(dependency.Transaction)}");
            }
        }
    }
}
