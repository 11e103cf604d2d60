using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// V5: a commit record with dependencies means committed only if they are. What becomes of a decision as its
/// dependencies are decided. On its engine's turn.
/// </summary>
internal sealed class DependencyOutcomes(
    OwnerParts shared, Branches branches, Decisions decisions, DependencyQueries queries, FinalStepRunner finalSteps,
    Manager manager)
{
    /// <summary>The commit record is in the log.</summary>
    public void Recorded(Decision decision)
    {
        if (decision.IsStaged)
        {
            manager.Resolved(decision, committed: true);
            return;
        }

        if (decision.State == DecisionState.Aborted) return;
        decision.State = DecisionState.Recorded;
        if (branches.Find(decision.Id) is { State: BranchState.Ordered } own && own.Round == decision.Round)
        {
            // One append carried its prepare too (V7).
            own.State = BranchState.Logged;
            own.HasVoted = true;
        }

        // Dependencies that were decided while the record was on its way.
        if (decision.HasUnresolved) queries.RemoveCommitted(decision);
        if (decision.DependencyAborted) manager.ResolveAbort(decision);
        else if (!decision.HasUnresolved || shared.Breaks == ProtocolBreaks.NoR7Answer) manager.Commit(decision);
        else queries.Ask(decision);
    }

    /// <summary>All prepares are durable. What it depends on needs no record to be waited for.</summary>
    public void CommitStaged(Decision decision)
    {
        decision.Votes = null;
        decision.AwaitsDependencies = decision.HasUnresolved && shared.Breaks != ProtocolBreaks.NoR7Answer;
        if (decision.AwaitsDependencies) queries.Ask(decision);
        else manager.Commit(decision);
    }

    /// <summary>What became of a dependency.</summary>
    public void OnAnswer(in Message message)
    {
        var answer = DependencyAnswerMessage.Read(message);
        if (decisions.Find(answer.Transaction) is not { } decision || decision.Unresolved is not { } unresolved) return;
        var other = answer.Dependency;
        var from = answer.FromPartition;
        var known = unresolved.FindIndex(d => d.Transaction == other && (from < 0 || d.Partition == from));
        if (known < 0) return;
        if (!answer.IsCommitted)
        {
            decision.DependencyAborted = true;
            if (decision.State == DecisionState.Collecting) manager.AbortLogged(decision);
            else if (decision.State == DecisionState.Recorded) manager.ResolveAbort(decision);
            return;
        }

        unresolved.RemoveAll(d => d.Transaction == other && (from < 0 || d.Partition == from));
        if (unresolved.Count > 0) return;
        if (decision.State == DecisionState.Recorded) manager.Commit(decision);
        else if (decision is { State: DecisionState.Collecting, AwaitsDependencies: true, IsStaged: true })
            CommitStaged(decision);
        else if (decision is { State: DecisionState.Collecting, AwaitsDependencies: true }
            && branches.Find(answer.Transaction)?.FinalStep is { } step)
        {
            finalSteps.Prepare(decision, step);
        }
    }
}
