using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// D1: a declared read-only transaction reads the last version below
/// its timestamp, once that is decided, and raises its read timestamp.
/// </summary>
internal static class D1Snapshots
{
    private const string Rule = "D1";

    /// <summary>The version is the one, is decided, and remembers who read it.</summary>
    public static void Check(OwnerModel owner, in SnapshotServed e)
    {
        var chain = owner.ChainOf(e.Key);
        var at = chain.IndexOf(e.Version);
        if (at < 0) throw Rejected.By(Rule, e.ToString(), $"the version is not ordered; there is {chain}");
        if (chain[at].WriteTimestamp >= e.Timestamp)
            throw Rejected.By(Rule, e.ToString(), $"the version is not below the timestamp; there is {chain}");
        if (at + 1 < chain.Count && chain[at + 1].WriteTimestamp < e.Timestamp)
            throw Rejected.By(Rule, e.ToString(), $"there is a later version below the timestamp; there is {chain}");
        if (!chain[at].IsCommitted)
            throw Rejected.By(Rule, e.ToString(), $"the version is undecided; there is {chain}");
        if (e.ReadTimestamp < e.Timestamp)
            throw Rejected.By("R1", e.ToString(), "the version's read timestamp is lower");
    }
}
