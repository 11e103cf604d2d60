using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// R2: a message whose clock leads too far is refused; a transaction moves
/// to a later timestamp only while its versions are the last and unread.
/// </summary>
internal static class R2Clocks
{
    private const string Rule = "R2";

    /// <summary>No clock that leads by more than the skew is believed.</summary>
    public static void Check(in ClockHeard e)
    {
        if (e.Clock > e.Limit && e.Clock > e.Last)
            throw Rejected.By(
                Rule, e.ToString(), $"the clock of {e.From} leads by more than the skew: the limit is {e.Limit}");
    }

    /// <summary>The timestamp is the one that was asked for, or a later one where that is allowed.</summary>
    public static void CheckTimestamp(OwnerModel owner, TransactionModel transaction, in TransactionOrdered e)
    {
        if (transaction.PrepareOf(e.Partition, e.Round, owner.Epoch) is not { } prepare) return;
        if (prepare.Timestamp == e.Timestamp || (prepare.MayRaise && e.Timestamp > prepare.Timestamp)) return;
        throw Rejected.By(Rule, e.ToString(), $"the prepare names timestamp {prepare.Timestamp}");
    }

    /// <summary>
    /// What was ordered already moves only forward, in a later round, while nobody has read or built upon it.
    /// </summary>
    public static void CheckMove(OwnerModel owner, BranchModel? branch, in TransactionOrdered e)
    {
        if (branch is not { Status: BranchStatus.Ordered }) return;
        if (e.Round <= branch.Round)
            throw Rejected.By(Rule, e.ToString(), $"it is ordered in that round or a later one: {branch}");
        foreach (var access in branch.Accesses)
        {
            if (access.Write is not { } write) continue;
            var chain = owner.ChainOf(access.Key);
            if (chain.Last.Id != write || chain.Last.ReadTimestamp != chain.Last.WriteTimestamp)
                throw Rejected.By(
                    Rule,
                    e.ToString(),
                    $"its version of {access.Key.Grain} has been read or built upon; there is {chain}");
        }
    }
}
