using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>Who may start: attempts of types whose transactions abort each other wait for their turn.</summary>
internal sealed class AttemptAdmission(
    EngineContext context, Timers timers, AbortExceptions exceptions, AdmissionQueue queue, TypeLearning learning)
{
    public bool TryEnter(TransactionRequest request, int typeId) =>
        request.IsReadOnly || queue.TryEnter(typeId, request.MayWaitToStart);

    /// <summary>Comes back when an attempt may start.</summary>
    /// <exception cref="Exception">Its time is up, its caller has cancelled, or the engine stops.</exception>
    public async Task Await(
        TransactionRequest request, int typeId, long since, long deadline, int attempts,
        CancellationToken cancellationToken)
    {
        var attempt = new WaitingAttempt(typeId, deadline, cancellationToken);
        queue.Wait(attempt, since);
        timers.EnsureTicking();
        await attempt.Over;
        if (attempt.Refusal != AbortReason.None)
            throw exceptions.RefusalOf(
                request, new AbortInfo(attempt.Refusal, request.Type, Attempts: Math.Max(1, attempts)));
    }

    /// <summary>
    /// An attempt stands in nobody's way any more: it is sealed, which counts as a success until something says
    /// otherwise, or has ended.
    /// </summary>
    public void Leave(AgentTransaction agent, AbortReason reason)
    {
        var transaction = agent.Transaction;
        if (transaction.IsReadOnly || (!agent.IsAdmitted && !reason.IsConflict())) return;
        var reserves = transaction.IsAdmissionChosenHere
            && learning.ArmOf(transaction.TypeId, context.Now) == AdmissionArm.Reserve;
        queue.Exempt(transaction.TypeId, reserves);
        if (agent.IsAdmitted) queue.Leave(transaction.TypeId);
        agent.IsAdmitted = false;
        queue.Ended(transaction.TypeId, reason);
    }
}
