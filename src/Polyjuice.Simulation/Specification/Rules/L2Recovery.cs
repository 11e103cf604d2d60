using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>L2: who comes back knows what its log says, and nothing else.</summary>
internal static class L2Recovery
{
    private const string Rule = "L2";

    /// <summary>What is prepared and undecided in the log is undecided at its owner, and nothing else is.</summary>
    public static void Check(OwnerModel owner, in OwnerServes e)
    {
        foreach (var branch in owner.Branches.Values)
        {
            if (branch.Status == BranchStatus.Ordered && !e.Undecided.Contains(branch.Id))
                throw Rejected.By(
                    Rule, e.ToString(), $"its log has an undecided prepare that it does not know of: {branch}");
        }

        foreach (var id in e.Undecided)
        {
            if (owner.Find(id) is not { Status: BranchStatus.Ordered } branch)
                throw Rejected.By(Rule, e.ToString(), $"its log does not say that {id} is undecided: {owner.Find(id)}");
        }
    }

    /// <summary>A prepare that is logged is of what was ordered, and names what it depends on.</summary>
    public static void Check(SpecificationState state, OwnerModel owner, LoggedRecord record, in BatchWritten e)
    {
        var prepare = record.Prepare!;
        if (owner.Find(prepare.Id) is not { Round: > 0 } branch || branch.Round < prepare.Round)
            throw Rejected.By(
                Rule, e.ToString(), $"the prepare is of what was not ordered: {owner.Find(prepare.Id)}, {owner}");
        if (branch.Round != prepare.Round) return;
        if (branch.Timestamp != prepare.Timestamp || branch.Manager != prepare.Manager)
            throw Rejected.By(Rule, e.ToString(), $"the prepare says otherwise than what was ordered: {branch}");
        foreach (var dependency in branch.Dependencies)
        {
            if (!prepare.Dependencies.Exists(named => named.Id == dependency) && !state.HasCommitted(dependency))
                throw Rejected.By(Rule, e.ToString(), $"the prepare does not name {dependency}, on which it depends");
        }
    }
}
