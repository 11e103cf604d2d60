using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// R1: an update is ordered only if it was built on the last ordered version, above that one's timestamps; a read only
/// above its version and below the next one. A version that was read has at least that read timestamp.
/// </summary>
internal static class R1Order
{
    private const string Rule = "R1";

    /// <summary>The order itself.</summary>
    public static void Check(OwnerModel owner, BranchModel? branch, in TransactionOrdered e)
    {
        foreach (var access in e.Accesses)
        {
            var chain = owner.ChainOf(access.Key);
            var at = chain.IndexOf(access.Read);
            if (at < 0)
                throw Rejected.By(
                    Rule,
                    e.ToString(),
                    $"version {access.Read} of {access.Key.Grain} is not ordered; there is {chain}");
            var read = chain[at];

            // Its own version of an earlier round may be above what it was built on (R2).
            var own = at + 1 < chain.Count && chain[at + 1].Id.Transaction == e.Id
                && branch is { Status: BranchStatus.Ordered }
                ? 1
                : 0;
            if (read.WriteTimestamp >= e.Timestamp)
                throw Rejected.By(
                    Rule,
                    e.ToString(),
                    $"version {access.Read} of {access.Key.Grain} is not below its timestamp; there is {chain}");
            if (access.Write is null)
            {
                if (at + 1 + own < chain.Count && chain[at + 1 + own].WriteTimestamp <= e.Timestamp)
                    throw Rejected.By(
                        Rule,
                        e.ToString(),
                        $"what it read of {access.Key.Grain} is overwritten below its timestamp; there is {chain}");
            }
            else if (at + 1 + own != chain.Count)
            {
                throw Rejected.By(
                    Rule,
                    e.ToString(),
                    $"its update of {access.Key.Grain} was not built on the last version; there is {chain}");
            }
            else if (read.ReadTimestamp >= e.Timestamp)
            {
                throw Rejected.By(
                    Rule,
                    e.ToString(),
                    $"what it overwrites of {access.Key.Grain} was read at its timestamp or later; there is {chain}");
            }

            if (access.ReadTimestamp < e.Timestamp)
                throw Rejected.By(
                    Rule,
                    e.ToString(),
                    $"version {access.Read} of {access.Key.Grain} keeps the read timestamp {access.ReadTimestamp}; "
                    + $"there is {chain}");
        }
    }

    /// <summary>Who says that it has ordered a transaction has done so.</summary>
    public static void Check(OwnerModel owner, in OwnerSaid e)
    {
        var reply = PrepareReplyMessage.Read(e.Message);
        if (owner.Find(reply.Transaction) is { Status: BranchStatus.Ordered or BranchStatus.Committed } branch
            && branch.Round == reply.Round && branch.Timestamp == reply.Timestamp)
            return;
        throw Rejected.By(Rule, e.ToString(), $"it has not ordered that: {owner.Find(reply.Transaction)}");
    }
}
