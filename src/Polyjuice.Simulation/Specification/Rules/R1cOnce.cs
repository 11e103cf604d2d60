using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Rules;

/// <summary>R1c: nothing runs twice, and what is over never begins again.</summary>
internal static class R1cOnce
{
    private const string Rule = "R1c";

    /// <summary>
    /// A call runs once. Where its transaction has ended, a repetition may be entered, and is served nothing.
    /// </summary>
    public static void Check(NodeModel node, in CallEntered e)
    {
        if (!node.Calls.Contains((e.Id, e.Caller, e.CallId))) return;
        foreach (var owner in node.Owners.Values)
        {
            if (owner.Find(e.Id) is { Status: BranchStatus.Running } branch)
                throw Rejected.By(
                    Rule, e.ToString(), $"the call runs here, or has run, and its transaction goes on: {branch}");
        }
    }

    /// <summary>An access is served only while the transaction runs, as far as its owner can know.</summary>
    public static void Check(SpecificationState state, OwnerModel owner, BranchModel? branch, in AccessServed e)
    {
        if (branch is not null)
        {
            if (branch.Status != BranchStatus.Running)
                throw Rejected.By(Rule, e.ToString(), $"the transaction does not run here any more: {branch}");
            return;
        }

        if (state.IsKnownToBeOver(e.Node, e.Id))
            throw Rejected.By(
                Rule,
                e.ToString(),
                $"its agent's oldest live attempt is {state.Node(e.Node).OldestLive[e.Id.Node]}, as this "
                + "node has heard");
        if (!owner.Serves) throw Rejected.By("L1", e.ToString(), $"the owner does not serve yet: {owner}");
    }

    /// <summary>
    /// Who has heard that an attempt is over does not begin to remember it; but a manager that has just aborted it may.
    /// </summary>
    public static void Check(SpecificationState state, OwnerModel owner, BranchModel? branch, in BranchEnded e)
    {
        if (branch is not null || owner.IsRow || owner.AbortsSaid.Contains(e.Id)
            || !state.IsKnownToBeOver(e.Node, e.Id))
            return;
        throw Rejected.By(
            Rule,
            e.ToString(),
            "the attempt was not known here, and its agent's oldest live one is "
            + $"{state.Node(e.Node).OldestLive[e.Id.Node]}, as this node has heard");
    }

    /// <summary>What is over, or was refused in that round, is not ordered.</summary>
    public static void Check(BranchModel? branch, in TransactionOrdered e)
    {
        if (branch is { Status: BranchStatus.Aborted or BranchStatus.Committed })
            throw Rejected.By(Rule, e.ToString(), $"it is over here: {branch}");
        if (branch?.RefusedRound >= e.Round) throw Rejected.By(Rule, e.ToString(), $"the round was refused: {branch}");
    }
}
