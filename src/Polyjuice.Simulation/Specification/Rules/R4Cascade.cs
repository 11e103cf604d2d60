using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// R4: an aborted transaction's versions leave the chain, with all that was built upon them; read timestamps stay.
/// </summary>
internal static class R4Cascade
{
    private const string Rule = "R4";

    /// <summary>Only what has aborted leaves, and what it was built on keeps its read timestamp.</summary>
    public static void Check(OwnerModel owner, in VersionRemoved e)
    {
        var chain = owner.ChainOf(e.Key);
        var at = chain.IndexOf(e.Version);
        if (at < 0) return;
        if (owner.Find(e.Version.Transaction) is not { Status: BranchStatus.Aborted })
            throw Rejected.By(Rule, e.ToString(), $"its writer has not aborted: {owner.Find(e.Version.Transaction)}");
        for (var later = at + 1; later < chain.Count; later++)
        {
            if (chain[later].IsCommitted)
                throw Rejected.By(Rule, e.ToString(), $"what was built upon it has committed; there is {chain}");
        }

        if (at == 0 || chain[at - 1].Id != e.Last)
            throw Rejected.By(Rule, e.ToString(), $"the version below is another one; there is {chain}");
        if (e.LastReadTimestamp < chain[at - 1].ReadTimestamp)
            throw Rejected.By(
                Rule,
                e.ToString(),
                $"the read timestamp of the version below has fallen to {e.LastReadTimestamp}; there is {chain}");
    }

    /// <summary>What was built on an aborted version is aborted in the same turn.</summary>
    public static void Check(OwnerModel owner, in TurnEnded e)
    {
        foreach (var id in owner.Doomed)
        {
            if (owner.Find(id) is { Status: BranchStatus.Ordered } branch)
                throw Rejected.By(
                    Rule, e.ToString(), $"a version that it was built on has left, and it has not: {branch}, {owner}");
        }
    }
}
