using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// R1b: a transaction is ordered only in the epoch that served its accesses, which its prepare names.
/// </summary>
internal static class R1bEpoch
{
    private const string Rule = "R1b";

    /// <summary>Each participant is named once: two epochs of one can't both have served what commits.</summary>
    public static void Check(in PrepareSent e)
    {
        var parts = PrepareMessage.Read(e.Message).Parts ?? [];
        for (var i = 1; i < parts.Length; i++)
        {
            for (var j = 0; j < i; j++)
            {
                if (parts[i].Partition == parts[j].Partition)
                    throw Rejected.By(
                        Rule,
                        e.ToString(),
                        $"partition {parts[i].Partition} has served it in the epochs {parts[j].Epoch} and "
                        + $"{parts[i].Epoch}");
            }
        }
    }

    /// <summary>
    /// There is a prepare, and it names this epoch; who does not know the transaction orders nothing.
    /// </summary>
    public static void Check(
        OwnerModel owner, TransactionModel transaction, BranchModel? branch, in TransactionOrdered e)
    {
        if (transaction.PrepareOf(e.Partition, e.Round, owner.Epoch) is null)
            throw Rejected.By(
                Rule,
                e.ToString(),
                $"no prepare of that round names this epoch: {owner}; asked were "
                + $"{string.Join(", ", transaction.Prepares)}");
        foreach (ref readonly var part in transaction.Parts.AsSpan())
        {
            // Rivals that have loaded one row have the same number for their epochs.
            if (owner.IsRow && part.Partition == owner.Partition && part.Node != owner.Node)
                throw Rejected.By(Rule, e.ToString(), $"{part.Node} has served its accesses: {owner}");
        }

        if (branch is null)
            throw Rejected.By(Rule, e.ToString(), $"it has served no access of the transaction: {owner}");
    }
}
