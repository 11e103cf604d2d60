using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>R1b: a transaction is ordered only in the epoch that served its accesses, which its prepare names.</summary>
internal static class R1bEpoch
{
    private const string Rule = "R1b";

    /// <summary>There is a prepare, and it names this epoch; who does not know the transaction orders nothing.</summary>
    public static void Check(OwnerModel owner, TransactionModel transaction, BranchModel? branch, in TransactionOrdered e)
    {
        if (transaction.PrepareOf(e.Partition, e.Round) is not { } prepare) throw Rejected.By(Rule, e.ToString(), $"its agent has not asked for it: {transaction}");

        // Where a partition moved in the middle of a body, both epochs are asked, and the earlier one is no more: it can't commit.
        var (partition, round) = (e.Partition, e.Round);
        if (!transaction.Prepares.Exists(p => p.Partition == partition && p.Round == round && p.Epoch == owner.Epoch)) throw Rejected.By(Rule, e.ToString(), $"the prepare names epoch {prepare.Epoch}, and this is {owner}");
        if (branch is null) throw Rejected.By(Rule, e.ToString(), $"it has served no access of the transaction: {owner}");
    }
}
