using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Wire;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>
/// L4: nothing is ordered or read above a durable ceiling; a successor orders writes above it, once its clock has
/// passed it. Nobody is told of a commit that lies in the future.
/// </summary>
internal static class L4Ceiling
{
    private const string Rule = "L4";

    /// <summary>Below the ceiling; writes above the floor.</summary>
    public static void Check(OwnerModel owner, in TransactionOrdered e)
    {
        // Of a row's writes the prepare says the timestamp, and is stored before anybody hears of them.
        if (e.Timestamp > owner.Ceiling && !(owner.IsRow && e.HasWrites))
            throw Rejected.By(Rule, e.ToString(), $"the timestamp is above the durable ceiling: {owner}");
        if (!e.HasWrites) return;
        if (e.Timestamp <= owner.Floor)
            throw Rejected.By(
                Rule, e.ToString(), $"the write is not above what the predecessors may have promised: {owner}");
        if (!HasPassed(e.Now, owner.Floor))
            throw Rejected.By(
                Rule, e.ToString(), $"the clock has not passed what the predecessors may have promised: {owner}");
    }

    /// <summary>Declared read-only transactions read below the ceiling, too.</summary>
    public static void Check(OwnerModel owner, in SnapshotServed e)
    {
        if (e.Timestamp > owner.Ceiling)
            throw Rejected.By(Rule, e.ToString(), $"the timestamp is above the durable ceiling: {owner}");
    }

    /// <summary>The agent's clock has passed the timestamp of what it tells.</summary>
    public static void Check(in CallerTold e)
    {
        if (e.Now << HybridClock.LogicalBits < e.Timestamp && !HasPassed(e.Now, e.Timestamp))
            throw Rejected.By(Rule, e.ToString(), "the agent's clock has not passed the timestamp");
    }

    private static bool HasPassed(long now, long timestamp) => now >= (timestamp >> HybridClock.LogicalBits) + 1;
}
