using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// What becomes of branches, as their managers or agents say: V4 and V6, as a participant keeps them. On its engine's
/// turn.
/// </summary>
internal sealed class BranchOutcomes(
    OwnerParts shared, Ownership ownership, Branches branches, RecoveredOutcomes recovered, Cascade cascade,
    OutcomeRecords records, DependencyQueries queries, AppendPipeline appends, TimestampCeiling ceiling,
    SnapshotHorizon horizon)
{
    /// <summary>A manager says what became of a transaction.</summary>
    public void OnOutcome(in Message message)
    {
        var outcome = OutcomeMessage.Read(message);
        if (outcome.IsCommitted) OnCommitted(outcome);
        else OnAborted(outcome);
    }

    /// <summary>A branch has committed, and so have its versions.</summary>
    public void Commit(Branch branch)
    {
        var now = shared.Now;
        branch.State = BranchState.Committed;
        branch.Touched = now;
        shared.Events?.Ended(ownership, branch.Id, committed: true);
        foreach (var entry in branch.Entries)
        {
            if (entry.Write is not { } write) continue;
            write.IsCommitted = true;
            write.ForgetWriter();
            if (shared.Recorder is { } trace && trace.NeedsHistory(entry.Participant)) continue;
            entry.Participant.Prune(horizon.CutoffAt(now), shared.Options.VersionsKept);
        }

        shared.Lifecycle.End(branch.Transaction);
        queries.AnswerAll(branch, committed: true);
        branches.TryFinish(branch);
    }

    /// <summary>An outcome is in the log: now it is applied, or acknowledged.</summary>
    public void Logged(in DurableAction action)
    {
        var branch = action.Branch!;
        if (!action.Committed)
        {
            if (branch.IsUndecided) cascade.Abort(branch);
            return;
        }

        branch.OutcomeLogged = true;
        records.Acknowledge(branch.Id, action.Manager, action.Asker);
        branches.TryFinish(branch);
    }

    /// <summary>The agent gave up before anything was prepared, or died.</summary>
    public void Abandon(TransactionId id)
    {
        // While it recovers, only the log says what it knows (L2).
        if (!ownership.IsActive) return;
        if (branches.Find(id) is not { } branch) return;

        // V3: once prepared, only the manager's word counts. A reader without a record is nobody's dependency.
        if (branch.State == BranchState.Running
            || (branch.State == BranchState.Ordered && !branch.WillLog && branch.Manager < 0)
            || (branch.IsUndecided && shared.Breaks == ProtocolBreaks.WoundOrdered))
        {
            cascade.Abort(branch);
        }
    }

    private void OnAborted(in OutcomeMessage outcome)
    {
        if (branches.Find(outcome.Transaction) is not { } branch)
        {
            if (!branches.IsDone(outcome.Transaction) && !recovered.Contains(outcome.Transaction))
                branches.Entomb(outcome.Transaction);
            return;
        }

        if (branch.State is BranchState.Committed && outcome.IsUnknown) DoubtOwnership(branch);
        if (branch.State is BranchState.Committed or BranchState.Aborted) return;

        // V4: an abort that was inferred from the manager's not knowing is in the log before it is applied.
        if (outcome.IsUnknown && branch.State == BranchState.Logged
            && shared.Breaks != ProtocolBreaks.UnkProof)
        {
            records.LogAbort(branch);
        }
        else cascade.Abort(branch);
    }

    private void OnCommitted(in OutcomeMessage outcome)
    {
        if (branches.Find(outcome.Transaction) is not { } branch)
        {
            // V6: what was forgotten here is in the log, but the manager must hear it after an append that follows its
            // question.
            if (!outcome.IsFinal) return;
            if (shared.Breaks == ProtocolBreaks.AckProof)
                records.Acknowledge(outcome.Transaction, outcome.FromPartition, outcome.From);
            else records.Log(null, outcome.Transaction, committed: true, outcome.FromPartition, outcome.From);
            return;
        }

        if (branch.State == BranchState.Aborted) return;
        if (branch.State == BranchState.Running) return;
        if (branch.State is BranchState.Ordered or BranchState.Logged)
        {
            if (branch.HasWrites && branch.Timestamp != outcome.Timestamp && shared.Breaks != ProtocolBreaks.VoteNamesC)
            {
                if (outcome.Timestamp == 0 && outcome.IsFinal) DoubtOwnership(branch);
                return;
            }

            Commit(branch);
        }

        if (!outcome.IsFinal) return;
        if (branch.OutcomeLogged) records.Acknowledge(branch.Id, outcome.FromPartition, outcome.From);
        else if (!branch.OutcomeQueued && branch.WillLog)
        {
            var isAwaited = outcome.IsSoon;
            records.Log(branch, branch.Id, committed: true, outcome.FromPartition, outcome.From, isAwaited);
        }
        else if (outcome.IsSoon) appends.Hurry();
    }

    /// <summary>
    /// The manager has forgotten a commit that this log must therefore have (V6). That it has not can only mean that
    /// another owner logged it: an append finds that out (L1). Without one, who was deposed and has nothing to do would
    /// ask for ever.
    /// </summary>
    private void DoubtOwnership(Branch branch)
    {
        if (branch.WillLog && !branch.OutcomeLogged && !branch.OutcomeQueued) ceiling.RequestNext();
    }
}
