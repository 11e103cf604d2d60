using Polyjuice.Partitions;
using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.Rules;
using Polyjuice.Simulation.Specification.State;
using Polyjuice.Versions;

namespace Polyjuice.Simulation.Specification.Actions;

/// <summary>Transactions end at owners and at their agents, and are forgotten (V3 to V6).</summary>
internal static class End
{
    /// <summary>An owner takes a transaction for committed or aborted.</summary>
    public static void Branch(SpecificationState state, in BranchEnded e)
    {
        if (state.Owner(e.Node, e.Partition) is not { } owner) return;
        var transaction = state.Transaction(e.Id);
        var branch = owner.Find(e.Id);
        if (e.Committed)
        {
            L1Fence.CheckCommit(owner, e);
            V5Resolution.CheckCommitted(state, e.Id, e.ToString());
            transaction.Outcome = true;
            if (branch is null) return;
            V1Votes.CheckCommit(transaction, branch, e);
            branch.Status = BranchStatus.Committed;
            MarkCommitted(owner, branch);
            return;
        }

        V3Aborts.Check(owner, transaction, branch, e);
        FinalSteps.CheckAbort(owner, transaction, e.ToString());
        R1cOnce.Check(state, owner, branch, e);
        branch ??= owner.GetOrAdd(e.Id);
        branch.Status = BranchStatus.Aborted;
    }

    /// <summary>An owner promises never to have a prepare of a round (V2).</summary>
    public static void Promise(SpecificationState state, in RoundPromised e)
    {
        if (state.Owner(e.Node, e.Partition) is not { } owner) return;
        if (!owner.Promises.TryGetValue((e.Id, e.Round), out var promises))
            owner.Promises.Add((e.Id, e.Round), promises = new());
        promises.Enqueue(owner.AsksMade);
        if (owner.Find(e.Id) is { Status: not BranchStatus.Aborted } branch)
            branch.PromisedRound = Math.Max(branch.PromisedRound, e.Round);
    }

    /// <summary>An attempt ends at its agent.</summary>
    public static void Told(SpecificationState state, in CallerTold e)
    {
        var transaction = state.Transaction(e.Id);
        if (e.Abort is not null)
        {
            V3Aborts.Check(transaction, e);
            Opacity.Check(state, transaction, e);
        }
        else
        {
            L4Ceiling.Check(e);
            if (transaction.Manager >= 0)
            {
                V5Resolution.CheckCommitted(state, e.Id, e.ToString());
            }
            else if (!e.IsReadOnly)
            {
                V1Votes.CheckReads(transaction, e);
                V5Resolution.CheckReads(state, transaction, e);
            }
        }

        transaction.IsTold = true;
    }

    /// <summary>A participant forgets a commit.</summary>
    public static void Forget(SpecificationState state, in OutcomeForgotten e)
    {
        if (state.Owner(e.Node, e.Partition) is { } owner) V6Forgetting.CheckOutcome(state, owner, e);
    }

    /// <summary>A manager forgets a commit.</summary>
    public static void ForgetDecision(SpecificationState state, in DecisionForgotten e)
    {
        if (state.Owner(e.Node, e.Partition) is { } owner)
            V6Forgetting.CheckDecision(state, owner, state.Transaction(e.Id), e);
    }

    private static void MarkCommitted(OwnerModel owner, BranchModel branch)
    {
        foreach (var access in branch.Accesses)
        {
            if (access.Write is not { } write) continue;
            var chain = owner.ChainOf(access.Key);
            if (chain.IndexOf(write) is >= 0 and var at) chain[at].IsCommitted = true;
        }
    }
}
