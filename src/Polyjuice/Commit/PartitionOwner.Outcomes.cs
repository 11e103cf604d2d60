using Polyjuice.Execution;

namespace Polyjuice.Commit;

// Applying outcomes, and forgetting them: rules V4 and V6.
internal sealed partial class PartitionOwner
{
    public void OnOutcome(in Message outcome)
    {
        var branch = _branches.Find(outcome.Transaction);
        if (outcome.Has(MessageFlags.Aborted))
        {
            if (branch is null)
            {
                if (!_branches.IsDone(outcome.Transaction) && !_recoveredOutcomes.Contains(outcome.Transaction)) _branches.Entomb(outcome.Transaction);
                return;
            }

            if (branch.State is BranchState.Committed && outcome.Has(MessageFlags.Unknown)) DoubtOwnership(branch);
            if (branch.State is BranchState.Committed or BranchState.Aborted) return;

            // V4: an abort that was inferred from the manager's not knowing is in the log before it is applied.
            if (outcome.Has(MessageFlags.Unknown) && branch.State == BranchState.Logged && _engine.Breaks != ProtocolBreaks.UnkProof) _outcomeRecords.LogAbort(branch);
            else ApplyAbort(branch);
            return;
        }

        if (branch is null)
        {
            // V6: what was forgotten here is in the log, but the manager must hear it after an append that follows its question.
            if (!outcome.Has(MessageFlags.Final)) return;
            if (_engine.Breaks == ProtocolBreaks.AckProof) _outcomeRecords.Acknowledge(outcome.Transaction, outcome.FromPartition, outcome.From);
            else _outcomeRecords.Log(null, outcome.Transaction, committed: true, outcome.FromPartition, outcome.From);
            return;
        }

        if (branch.State == BranchState.Aborted) return;
        if (branch.State == BranchState.Running) return;
        if (branch.State is BranchState.Ordered or BranchState.Logged)
        {
            if (branch.HasWrites && branch.Timestamp != outcome.Timestamp && _engine.Breaks != ProtocolBreaks.VoteNamesC)
            {
                if (outcome.Timestamp == 0 && outcome.Has(MessageFlags.Final)) DoubtOwnership(branch);
                return;
            }

            ApplyCommit(branch);
        }

        if (!outcome.Has(MessageFlags.Final)) return;
        if (branch.OutcomeLogged) _outcomeRecords.Acknowledge(branch.Id, outcome.FromPartition, outcome.From);
        else if (!branch.OutcomeQueued && branch.WillLog) _outcomeRecords.Log(branch, branch.Id, committed: true, outcome.FromPartition, outcome.From, outcome.Has(MessageFlags.Soon));
        else if (outcome.Has(MessageFlags.Soon)) _appends.Hurry();
    }

    /// <summary>
    /// The manager has forgotten a commit that this log must therefore have (V6). That it has not can only mean that another owner logged it: an append finds that out (L1). Without one, who was deposed and has nothing to do would
    /// ask for ever.
    /// </summary>
    private void DoubtOwnership(Branch branch)
    {
        if (branch.WillLog && !branch.OutcomeLogged && !branch.OutcomeQueued) _ceiling.RequestNext();
    }

    private void OutcomeDurable(in DurableAction action)
    {
        var branch = action.Branch!;
        if (!action.Committed)
        {
            if (branch.IsUndecided) ApplyAbort(branch);
            if (_decisions.Find(branch.Id) is { IsStaged: true, State: DecisionState.ResolvingAbort } decision) DecideAbort(decision);
            return;
        }

        branch.OutcomeLogged = true;
        _outcomeRecords.Acknowledge(branch.Id, action.Manager, action.Asker);
        _branches.TryFinish(branch);
    }

    public void OnAcknowledge(in Message acknowledgement)
    {
        if (_decisions.Find(acknowledgement.Transaction) is not { } decision || decision.State != DecisionState.Committed) return;
        if (decision.MustAcknowledge is { } partitions)
        {
            var isHurried = partitions.Hurried > 0;
            partitions.Remove(acknowledgement.FromPartition);
            if (isHurried)
            {
                partitions.ToldAt = _engine.Now;
                HurryMore(decision, partitions);
            }
        }

        TryForget(decision);
    }

    /// <summary>V6: forgotten when every log that needs the outcome has it, and the agent has told its caller (or is dead).</summary>
    private void TryForget(Decision decision)
    {
        if (decision.State == DecisionState.Aborted)
        {
            if (_engine.IsAgentDone(decision.Id)) _decisions.Forget(decision);
            return;
        }

        if (decision.State != DecisionState.Committed || decision.ForgetQueued || decision.AwaitsAcknowledgement || !IsFinal(decision)) return;
        if (!_engine.IsAgentDone(decision.Id) && _engine.Breaks != ProtocolBreaks.AgentAck) return;
        decision.ForgetQueued = true;
        _engine.Events?.ForgetsDecision(_ownership, decision);
        if (decision.Parts.Length == 1)
        {
            // Nobody but the agent could ever ask, and a recovery would rebuild it from the one record that there is.
            _decisions.Forget(decision);
            return;
        }

        LogRecords.WriteForget(_appends.Records, decision.Id);
        _appends.QueueLazily(new DurableAction(LogRecordKind.Forget, Decision: decision));
    }

    /// <summary>Its host wants it at rest: what lingers here goes out, and who lets confirms linger that are waited for here is asked for them.</summary>
    public void SeekRest()
    {
        _appends.Hurry();
        foreach (var decision in _decisions.All)
        {
            if (decision is { State: DecisionState.Committed, MustAcknowledge: { Count: > 0 } waiting }
                && _engine.Now - waiting.ToldAt >= Options.ResendMicroseconds) HurryOutcomes(decision);
        }
    }

    private void ApplyCommit(Branch branch)
    {
        var now = _engine.Now;
        branch.State = BranchState.Committed;
        branch.Touched = now;
        _engine.Events?.Ended(_ownership, branch.Id, committed: true);
        foreach (var entry in branch.Entries)
        {
            if (entry.Write is not { } write) continue;
            write.IsCommitted = true;
            write.ForgetWriter();
            if (_engine.Trace is { } trace && trace.NeedsHistory(entry.Participant)) continue;
            entry.Participant.Prune(_snapshotHorizon.CutoffAt(now), Options.VersionsKept);
        }

        _engine.End(branch.Transaction);
        _queries.AnswerAll(branch, MessageFlags.Committed);
        _branches.TryFinish(branch);
    }

    /// <summary>Takes a transaction out of the chains (R4). If its prepare is in the log, so will be its end.</summary>
    private void ApplyAbort(Branch branch)
    {
        var wasOrdered = branch.State is BranchState.Ordered or BranchState.Logged;
        branch.State = BranchState.Aborted;
        branch.Touched = _engine.Now;
        _engine.Events?.Ended(_ownership, branch.Id, committed: false);
        _replies.Unpark(branch);
        var isStaged = false;
        if (_decisions.Find(branch.Id) is { } decision && decision.State == DecisionState.Collecting)
        {
            isStaged = MustLogAbort(decision, branch);
            if (isStaged) decision.State = DecisionState.ResolvingAbort;
            else DecideAbort(decision);
        }

        foreach (var entry in branch.Entries)
        {
            if (entry.Write is { } write) RemoveVersion(write);
        }

        if (wasOrdered && branch.WillLog && !branch.OutcomeQueued && !branch.IsHeldBack)
        {
            _outcomeRecords.Log(branch, branch.Id, committed: false, branch.Manager, isAwaited: isStaged);
        }

        _engine.End(branch.Transaction, aborted: true);
        branch.Transaction.Reservations?.ReleaseAt(this);
        _replies.WakeParked(branch);
        _queries.AnswerAll(branch, MessageFlags.Aborted);
        _branches.TryFinish(branch);
    }

    /// <summary>The agent gave up before anything was prepared, or died.</summary>
    public void Abandon(TransactionId id)
    {
        // While it recovers, only the log says what it knows (L2).
        if (!IsActive) return;
        if (_branches.Find(id) is not { } branch) return;

        // V3: once prepared, only the manager's word counts. A reader without a record is nobody's dependency.
        if (branch.State == BranchState.Running || (branch.State == BranchState.Ordered && !branch.WillLog && branch.Manager < 0) || (branch.IsUndecided && _engine.Breaks == ProtocolBreaks.WoundOrdered)) ApplyAbort(branch);
    }
}
