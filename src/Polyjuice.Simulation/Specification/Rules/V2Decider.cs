using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Storage;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// V2: only the manager's epoch that the prepare named writes the commit record; an earlier one is silent; a later one
/// asks all participants of what is staged first.
/// </summary>
internal static class V2Decider
{
    private const string Rule = "V2";

    /// <summary>The record is of the epoch that was named, or of one that has the staged prepare in its log.</summary>
    public static void Check(LogModel log, TransactionModel transaction, RecoveredCommit commit, in BatchWritten e)
    {
        if (transaction.Manager < 0 || log.Partition != transaction.Manager || log.Epoch == transaction.ManagerEpoch)
            return;
        if (log.Prepares.TryGetValue(transaction.Id, out var prepare) && prepare.IsStaged
            && prepare.Round == commit.Round)
            return;
        throw Rejected.By(Rule, e.ToString(), $"this is epoch {log.Epoch}, and another one decides: {transaction}");
    }

    /// <summary>An epoch before the one that decides says no outcome.</summary>
    public static void CheckSilence(OwnerModel owner, TransactionModel transaction, in OwnerSaid e)
    {
        if (transaction.Manager == owner.Partition && owner.Epoch < transaction.ManagerEpoch)
            throw Rejected.By(Rule, e.ToString(), $"this is {owner}, and a later epoch decides: {transaction}");
    }

    /// <summary>What is staged and undecided in its own log is not unknown.</summary>
    public static void CheckStaged(OwnerModel owner, in OwnerSaid e)
    {
        if (owner.Find(e.Message.Transaction) is { Status: BranchStatus.Ordered, IsStaged: true } branch
            && branch.Manager == owner.Partition)
            throw Rejected.By(
                Rule,
                e.ToString(),
                $"its log has the prepare with which it is staged, and the participants have not been asked: {branch}");
    }

    /// <summary>
    /// Who finds in its log what an earlier epoch has staged asks all
    /// participants at once: that one may have said that it committed.
    /// </summary>
    public static void CheckAsked(OwnerModel owner, in TurnEnded e)
    {
        if (!owner.Serves || owner.Unasked.Count == 0) return;
        foreach (var id in owner.Unasked)
        {
            if (owner.Find(id) is { Status: BranchStatus.Ordered } branch)
                throw Rejected.By(
                    Rule,
                    e.ToString(),
                    $"its log has a staged prepare, and it has not asked the participants: {branch}, {owner}");
        }

        owner.Unasked.Clear();
    }

    /// <summary>
    /// Who has no prepare says so after a promise that it will have
    /// none, and after an append that shows that it is the owner.
    /// </summary>
    public static void CheckDenial(OwnerModel owner, in OwnerSaid e)
    {
        var vote = VoteMessage.Read(e.Message);
        if (!owner.Promises.TryGetValue((vote.Transaction, vote.Round), out var promises)
            || !promises.TryDequeue(out var asked))
            throw Rejected.By(Rule, e.ToString(), $"it has not made sure that there will be none: {owner}");
        if (!owner.IsRow && owner.AskWritten <= asked)
            throw Rejected.By(Rule, e.ToString(), $"no append since has shown that it still is the owner: {owner}");
    }

    /// <summary>A promise is kept.</summary>
    public static void CheckPromise(BranchModel? branch, in TransactionOrdered e)
    {
        if (branch?.PromisedRound >= e.Round)
            throw Rejected.By(
                Rule, e.ToString(), $"it has promised that there will be no prepare of that round: {branch}");
    }
}
