using Polyjuice.Contracts;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// V3: once a prepare was sent only the manager aborts, and not while the commit record's append is in flight.
/// </summary>
internal static class V3Aborts
{
    private const string Rule = "V3";

    /// <summary>An agent tells its caller of an abort after the manager's answer.</summary>
    public static void Check(TransactionModel transaction, in CallerTold e)
    {
        if (transaction.Manager < 0 || e.Abort == AbortReason.InDoubt || transaction.IsAbortAnswered) return;
        throw Rejected.By(Rule, e.ToString(), $"prepares were sent, and the manager has not said so: {transaction}");
    }

    /// <summary>
    /// What is ordered is dropped on the manager's word, with what it was built on, or when its log says so.
    /// </summary>
    public static void Check(OwnerModel owner, TransactionModel transaction, BranchModel? branch, in BranchEnded e)
    {
        if (branch is not { Status: BranchStatus.Ordered, Manager: >= 0 } || owner.IsRow) return;
        if (owner.Doomed.Contains(e.Id) || transaction.IsAbortSaid
            || owner.Log.Outcomes.GetValueOrDefault(e.Id, true) == false)
            return;
        if (!transaction.IsUnknownSaid)
            throw Rejected.By(Rule, e.ToString(), $"its manager has not said so: {branch}, {transaction}");
        if (branch is { HasVoted: true, WillLog: true })
            throw Rejected.By(
                "V4",
                e.ToString(),
                $"its manager has said only that it does not know it, and that is not in the log: {branch}");
    }

    /// <summary>No abort is told while the commit record may get into the log.</summary>
    public static void CheckRecording(OwnerModel owner, in OwnerSaid e)
    {
        if (owner.Recording.Contains(e.Message.Transaction))
            throw Rejected.By(Rule, e.ToString(), $"its commit record is on the way into the log: {owner}");
    }
}
