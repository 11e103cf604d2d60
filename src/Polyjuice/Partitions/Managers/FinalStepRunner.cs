using Polyjuice.Contracts;

namespace Polyjuice.Partitions;

/// <summary>
/// What a transaction does last of all: one resource that can't prepare (a service that is called), and so is asked
/// when nothing else can stop the commit any more. If the manager is lost between the step and the record, the step was
/// taken and the transaction aborts: such a service must tell transactions apart, and be asked again. On its engine's
/// turn.
/// </summary>
internal sealed class FinalStepRunner(
    OwnerParts shared, Ownership ownership, Branches branches, DependencyQueries queries, CommitRecords records,
    Manager manager)
{
    /// <summary>
    /// All votes are in. The step waits for dependencies: a commit record may name them, but what the step does can't
    /// be taken back when one aborts.
    /// </summary>
    public void Prepare(Decision decision, Func<TransactionId, Task<bool>> step)
    {
        queries.RemoveCommitted(decision);
        decision.AwaitsDependencies = decision.HasUnresolved && shared.Breaks != ProtocolBreaks.FinalStepEarly;
        if (decision.AwaitsDependencies)
        {
            queries.Ask(decision);
            return;
        }

        decision.State = DecisionState.TakingFinalStep;
        _ = TakeAsync(decision, step);
    }

    private async Task TakeAsync(Decision decision, Func<TransactionId, Task<bool>> step)
    {
        var refusal = AbortReason.None;
        try
        {
            var answer = step(decision.Id);
            if (shared.Breaks != ProtocolBreaks.FinalStepUnawaited && !await answer)
                refusal = AbortReason.CommitRefused;
        }
        catch (Exception exception)
        {
            // The caller, maybe elsewhere, hears the reason and no more.
            refusal = AbortReason.InDoubt;
            shared.Log.FinalStepFailed(exception, $"{branches.Find(decision.Id)?.Transaction.Type} {decision.Id}");
        }

        if (!ownership.IsActive || decision.State != DecisionState.TakingFinalStep) return;
        if (refusal == AbortReason.None || shared.Breaks == ProtocolBreaks.FinalStepDeaf)
        {
            records.Record(decision);
        }
        else
        {
            decision.Refusal = refusal;
            manager.Abort(decision);
        }

        shared.Mail.RequestFlush();
    }
}
