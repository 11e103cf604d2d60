using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Counts whether attempts have kept to what they had reserved, from which it is learned how to let their types in.
/// </summary>
internal sealed class ReservationCounts(
    EngineContext context, Mail mail, OpenTime openTime, PolicyStore policies, TypeLearning learning,
    LearnedAccessSets learnedSets)
{
    /// <summary>
    /// The attempt is over: counts whether it kept to its plan. Who committed without an access has told nobody yet.
    /// </summary>
    public void Ended(AgentTransaction agent)
    {
        var transaction = agent.Transaction;
        var plan = transaction.Reservations?.Plan;
        if (transaction.DryRun is null && transaction.Reservations is not { IsGivenBack: true }
            && transaction.IsAdmissionChosenHere)
        {
            openTime.CountOpenTime();
            learning.NoteAttempt(
                transaction.TypeId, agent.Result?.Reason ?? AbortReason.None, transaction.AccessNumber,
                transaction.HasLoaded, isReserved: plan is not null, context.Statistics.OpenMicroseconds, context.Now);
        }

        if (transaction.Reservations is not { } reservations || plan is null) return;
        if (agent.Result is { } abort)
        {
            if (reservations.HasHandedOn && !abort.Reason.IsConflict()) learning.NoteBroken(transaction.TypeId);
            if (abort.Reason != AbortReason.AccessSetMiss) return;
            context.Statistics.AccessSetMisses++;
            NoteAccessSet(transaction, plan, differs: true);
            return;
        }

        if (agent.Parts.Length == 0)
            mail.SendToAll(
                transaction.Visited, new Message { Kind = MessageKind.Sealed, Transaction = transaction.Id });
        if (reservations.WasCutShort) return;
        if (reservations.Differs) context.Statistics.AccessSetMisses++;
        NoteAccessSet(transaction, plan, reservations.Differs);
    }

    private void NoteAccessSet(LocalTransaction transaction, ReservationPlan plan, bool differs)
    {
        learning.NoteAccessSet(transaction.TypeId, differs);

        // Of a part, nobody sees what is lacking.
        if (plan is { IsLearned: true, IsPartial: false }) learnedSets.Of(transaction.TypeId).Count(isRight: !differs);
    }

    /// <summary>
    /// The share of a type's latest reserved transactions here that accessed what they had not reserved; recent ones
    /// count most.
    /// </summary>
    /// <param name="type">The transaction type.</param>
    public double AccessSetMissShare(string type)
    {
        var types = policies.Registry.Types;
        for (var id = 0; id < types.Count; id++)
        {
            if (types[id] == type) return learning.AccessSetMisses(id);
        }

        return 0;
    }
}
