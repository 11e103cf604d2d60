using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// V4: before "unknown" is said it is made true for good; the abort
/// of what is recorded or staged is logged before it is told.
/// </summary>
internal static class V4Presumed
{
    private const string Rule = "V4";

    /// <summary>Who says "unknown" remembers that the transaction can never commit, or can't decide it.</summary>
    public static void CheckUnknown(SpecificationState state, OwnerModel owner, in OwnerSaid e)
    {
        var id = e.Message.Transaction;
        if (owner.IsRow || state.IsAgentDone(id) || state.IsKnownToBeOver(owner.Node, id)) return;
        if (owner.Find(id) is not { } branch)
            throw Rejected.By(Rule, e.ToString(), $"it does not remember that: {owner}");
        var isOfEarlier = branch.Manager == owner.Partition && branch.ManagerEpoch < owner.Epoch;
        if (branch.Status != BranchStatus.Aborted && !isOfEarlier)
            throw Rejected.By(Rule, e.ToString(), $"it may commit yet: {branch}");
    }

    /// <summary>An abort that is told is the only outcome that there will be.</summary>
    public static void CheckAbort(
        SpecificationState state, OwnerModel owner, TransactionModel transaction, in OwnerSaid e)
    {
        if (owner.IsRow) return;
        var id = transaction.Id;
        if (transaction.CommitLog == owner.Partition && owner.Log.Resolutions.GetValueOrDefault(id, true))
            throw Rejected.By(Rule, e.ToString(), $"its log has the commit record, and no resolution: {transaction}");
        if (state.IsDecided(id)) throw Rejected.By(Rule, e.ToString(), $"it has committed: {transaction}");
        if (owner.Find(id) is not { IsStaged: true } branch || branch.Manager != owner.Partition
            || owner.Log.Outcomes.GetValueOrDefault(id, true) == false)
            return;
        if (!owner.Staged.Contains((id, branch.Round)) || transaction.IsRefused
            || HasVoteWithoutRecord(transaction, branch.Round))
            return;
        throw Rejected.By(Rule, e.ToString(), $"it is staged, and its log does not say that it aborted: {transaction}");
    }

    /// <summary>What was said to have aborted gets no commit record.</summary>
    public static void CheckRecord(TransactionModel transaction, in BatchWritten e)
    {
        if (transaction.Outcome == false)
            throw Rejected.By(Rule, e.ToString(), $"it was said to have aborted: {transaction}");
    }

    private static bool HasVoteWithoutRecord(TransactionModel transaction, int round) =>
        transaction.Votes.Exists(vote => vote.Round == round && !vote.IsLogged);
}
