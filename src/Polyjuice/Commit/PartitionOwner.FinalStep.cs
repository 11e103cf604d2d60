using Polyjuice.Diagnostics;
using Polyjuice.Execution;

namespace Polyjuice.Commit;

// What a transaction does last of all: one resource that can't prepare (a service that is called), and so is asked when nothing else can stop the commit any more. If the manager is lost between the step
// and the record, the step was taken and the transaction aborts: such a service must tell transactions apart, and be asked again.
internal sealed partial class PartitionOwner
{
    /// <summary>All votes are in. The step waits for dependencies: a commit record may name them, but what the step does can't be taken back when one aborts.</summary>
    private void PrepareFinalStep(Decision decision, Func<TransactionId, Task<bool>> step)
    {
        _queries.RemoveCommitted(decision);
        decision.AwaitsDependencies = decision.HasUnresolved && _engine.Breaks != ProtocolBreaks.FinalStepEarly;
        if (decision.AwaitsDependencies)
        {
            _queries.Ask(decision);
            return;
        }

        decision.State = DecisionState.TakingFinalStep;
        _ = TakeFinalStep(decision, step);
    }

    private async Task TakeFinalStep(Decision decision, Func<TransactionId, Task<bool>> step)
    {
        var refusal = AbortReason.None;
        try
        {
            var answer = step(decision.Id);
            if (_engine.Breaks != ProtocolBreaks.FinalStepUnawaited && !await answer) refusal = AbortReason.CommitRefused;
        }
        catch (Exception exception)
        {
            // The caller, maybe elsewhere, hears the reason and no more.
            refusal = AbortReason.InDoubt;
            _engine.Log.FinalStepFailed(exception, $"{_branches.Find(decision.Id)?.Transaction.Type} {decision.Id}");
        }

        if (!IsActive || decision.State != DecisionState.TakingFinalStep) return;
        if (refusal == AbortReason.None || _engine.Breaks == ProtocolBreaks.FinalStepDeaf)
        {
            RecordCommit(decision);
        }
        else
        {
            decision.Refusal = refusal;
            DecideAbort(decision);
        }

        _engine.RequestFlush();
    }
}
