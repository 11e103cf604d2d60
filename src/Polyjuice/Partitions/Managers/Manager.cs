using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Versions;

namespace Polyjuice.Partitions;

/// <summary>
/// What a manager decides, and when it may. V3: it aborts only while no commit record is on its way. V4: the abort of
/// what is recorded or staged is in the log before it is applied or told. V5: a resolution is in the log before any
/// confirm says "final". On its engine's turn.
/// </summary>
internal sealed class Manager(
    OwnerParts shared, Branches branches, Decisions decisions, AppendPipeline appends, PrepareLog prepares,
    Cascade cascade, BranchOutcomes outcomes, OutcomeRecords records, OutcomeMessages messages, Forgetting forgetting)
{
    /// <summary>It is committed.</summary>
    public void Commit(Decision decision)
    {
        decision.State = DecisionState.Committed;
        decision.Touched = shared.Now;
        messages.Tell(decision);

        // V5: the resolution is durable before any confirm says "final".
        if (decision.IsStaged) RecordStaged(decision);
        else if (decision.HadDependencies && !decision.ResolutionDurable)
        {
            LogRecords.WriteResolved(appends.Records, decision.Id, committed: true);
            appends.Queue(new DurableAction(LogRecordKind.Resolved, Decision: decision, Committed: true));
        }

        if (branches.Find(decision.Id) is { State: BranchState.Ordered or BranchState.Logged } own)
            outcomes.Commit(own);

        // Others may wait for this one at its participants: not for its record, too, unless that is durable in this
        // turn.
        if (!decision.IsStaged || appends.TakesTime) messages.SendCommit(decision);
        SettleOwn(decision);
        decisions.ResolveFollowers(decision.Id, committed: true);
    }

    /// <summary>V3: a manager aborts only while no commit record is on its way.</summary>
    public void Abort(Decision decision)
    {
        if (decision.State == DecisionState.Committed) return;
        decision.State = DecisionState.Aborted;
        decision.Touched = shared.Now;
        messages.Tell(decision);
        decisions.ResolveFollowers(decision.Id, committed: false);
        messages.SendAbort(decision);
        if (branches.Find(decision.Id) is { } own)
        {
            if (own.State != BranchState.Aborted) cascade.Abort(own);
        }
        else
        {
            branches.Entomb(decision.Id);
        }
    }

    /// <summary>Aborts what no participant has refused, unless it is too late for that.</summary>
    public void TryAbort(Decision decision)
    {
        // An earlier epoch may have said that it is committed; and what all have prepared waits for its dependencies
        // and for nothing else, as with a record.
        if (decision.IsStaged && (decision.IsRecovered || decision.AwaitsDependencies)) return;
        AbortLogged(decision);
    }

    /// <summary>Aborts: what is staged as soon as the log says so, the rest at once (V4).</summary>
    public void AbortLogged(Decision decision)
    {
        if (branches.Find(decision.Id) is { State: BranchState.Ordered or BranchState.Logged } own
            && MustLogAbort(decision, own))
        {
            decision.State = DecisionState.ResolvingAbort;
            records.LogAbort(own);
        }
        else
        {
            Abort(decision);
        }
    }

    /// <summary>V4: the end of a staged prepare is in the log.</summary>
    public void AbortIsLogged(TransactionId id)
    {
        if (decisions.Find(id) is { IsStaged: true, State: DecisionState.ResolvingAbort } decision) Abort(decision);
    }

    /// <inheritdoc cref="IOwnDecisions.BranchAborts"/>
    public bool BranchAborts(Branch branch)
    {
        if (decisions.Find(branch.Id) is not { State: DecisionState.Collecting } decision) return false;
        if (MustLogAbort(decision, branch))
        {
            decision.State = DecisionState.ResolvingAbort;
            return true;
        }

        Abort(decision);
        return false;
    }

    /// <summary>V4: the abort of a recorded transaction is in the log before it is applied or told.</summary>
    public void ResolveAbort(Decision decision)
    {
        decision.State = DecisionState.ResolvingAbort;
        if (shared.Breaks == ProtocolBreaks.AbortProof)
        {
            Abort(decision);
            return;
        }

        LogRecords.WriteResolved(appends.Records, decision.Id, committed: false);
        appends.Queue(new DurableAction(LogRecordKind.Resolved, Decision: decision));
    }

    /// <summary>The resolution is in the log; of what was staged, the commit record.</summary>
    public void Resolved(Decision decision, bool committed)
    {
        decision.ResolutionDurable = true;
        if (!committed)
        {
            Abort(decision);
            return;
        }

        messages.SendCommit(decision);
        SettleOwn(decision);
        forgetting.TryForget(decision);
    }

    private void RecordStaged(Decision decision)
    {
        BranchRecords.WriteCommit(appends.Records, decision, decision.Timestamp);
        appends.QueueLazily(new DurableAction(LogRecordKind.Commit, Decision: decision));
    }

    /// <summary>
    /// The manager's own log has the outcome once the commit record, and the resolution if it needed one, are durable.
    /// </summary>
    private void SettleOwn(Decision decision)
    {
        if (!messages.IsFinal(decision) || branches.Find(decision.Id) is not { State: BranchState.Committed } own)
            return;
        own.OutcomeLogged = true;
        branches.TryFinish(own);
    }

    /// <summary>
    /// V4. Who was deposed, and does not know it, may believe what is not so: that a dependency aborted, because all
    /// have forgotten by now what a successor has brought to its end. By the append it finds out. Without that, it
    /// would contradict a successor that commits. A prepare that has not been handed over yet goes into the log
    /// together with its end, or not at all: it can be told at once.
    /// </summary>
    private bool MustLogAbort(Decision decision, Branch own) =>
        decision.IsStaged && own.Record == PrepareRecord.Written && !prepares.IsBeingFilled(own)
            && shared.Breaks != ProtocolBreaks.StagedAbortUnlogged;
}
