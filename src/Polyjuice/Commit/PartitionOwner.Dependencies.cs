using Polyjuice.Execution;

namespace Polyjuice.Commit;

// Commit dependencies: rules R3 and V5.
internal sealed partial class PartitionOwner
{
    public void OnDependencyAnswer(in Message answer)
    {
        if (_decisions.Find(answer.Transaction) is not { } decision || decision.Unresolved is not { } unresolved) return;
        var other = answer.Other;
        var from = answer.FromPartition;
        var known = unresolved.FindIndex(d => d.Transaction == other && (from < 0 || d.Partition == from));
        if (known < 0) return;
        if (answer.Has(MessageFlags.Aborted))
        {
            decision.DependencyAborted = true;
            if (decision.State == DecisionState.Collecting) AbortLogged(decision);
            else if (decision.State == DecisionState.Recorded) ResolveAbort(decision);
            return;
        }

        unresolved.RemoveAll(d => d.Transaction == other && (from < 0 || d.Partition == from));
        if (unresolved.Count > 0) return;
        if (decision.State == DecisionState.Recorded) DecideCommit(decision);
        else if (decision is { State: DecisionState.Collecting, AwaitsDependencies: true, IsStaged: true }) CommitStaged(decision);
        else if (decision is { State: DecisionState.Collecting, AwaitsDependencies: true } && _branches.Find(answer.Transaction)?.FinalStep is { } step) PrepareFinalStep(decision, step);
    }

    /// <summary>V4: the abort of a recorded transaction is in the log before it is applied or told.</summary>
    private void ResolveAbort(Decision decision)
    {
        decision.State = DecisionState.ResolvingAbort;
        if (_engine.Breaks == ProtocolBreaks.AbortProof)
        {
            DecideAbort(decision);
            return;
        }

        LogRecords.WriteResolved(_appends.Records, decision.Id, committed: false);
        _appends.Queue(new DurableAction(LogRecordKind.Resolved, Decision: decision));
    }

    private void Resolved(Decision decision, bool committed)
    {
        decision.ResolutionDurable = true;
        if (!committed)
        {
            DecideAbort(decision);
            return;
        }

        SendOutcomes(decision);
        SettleOwn(decision);
        TryForget(decision);
    }
}
