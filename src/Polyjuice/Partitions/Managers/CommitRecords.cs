using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Versions;

namespace Polyjuice.Partitions;

/// <summary>
/// A manager's commit records (V2, V5): each names the dependencies that are undecided, and does not wait for them. On
/// its engine's turn.
/// </summary>
internal sealed class CommitRecords(
    OwnerParts shared, Branches branches, Decisions decisions, AppendPipeline appends, PrepareLog prepares,
    Dependencies dependencies, DependencyQueries queries, OutcomeMessages messages)
{
    /// <summary>All votes are in, and nothing stands against it.</summary>
    public void Record(Decision decision)
    {
        decision.HadDependencies = decision.HasUnresolved;
        decision.State = DecisionState.Recording;
        decision.Votes = null;
        if (branches.Find(decision.Id) is { IsHeldBack: true } own) prepares.Write(own);
        BranchRecords.WriteCommit(appends.Records, decision, decision.Timestamp);
        if (shared.Breaks == ProtocolBreaks.AnswerBeforeDurable) messages.Tell(decision, committed: true);
        appends.Queue(new DurableAction(LogRecordKind.Commit, Decision: decision));
    }

    /// <summary>V7: one participant is its own manager, and its prepare and commit are one append.</summary>
    public void RecordOnePartition(Branch branch)
    {
        var decision = decisions.Find(branch.Id)!;
        decision.State = DecisionState.Recording;
        decision.Timestamp = branch.Timestamp;
        decision.Round = branch.Round;
        queries.AddUnresolved(decision, dependencies.Of(branch));
        decision.HadDependencies = decision.HasUnresolved;
        prepares.Write(branch);
        BranchRecords.WriteCommit(appends.Records, decision, branch.Timestamp);
        appends.Queue(new DurableAction(LogRecordKind.Commit, Decision: decision));
    }
}
