using Polyjuice.Contracts;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// What a manager says of its decisions: to the agent, and to the participants whose logs need the outcome (V5, V6). On
/// its engine's turn.
/// </summary>
internal sealed class OutcomeMessages(OwnerParts shared, Ownership ownership)
{
    /// <summary>How many are asked at a time to log an outcome soon.</summary>
    private const int HurriedMax = 64;

    /// <summary>
    /// V5: whether participants may log the outcome, because this log says what it is: by the commit record, or by the
    /// resolution if it had dependencies.
    /// </summary>
    public bool IsFinal(Decision decision) => decision.IsStaged
        ? decision.ResolutionDurable || shared.Breaks == ProtocolBreaks.StagedFinalEarly
        : !decision.HadDependencies || decision.ResolutionDurable
            || shared.Breaks == ProtocolBreaks.ResolveBeforeConfirm;

    /// <summary>Tells the agent.</summary>
    public void Tell(Decision decision, bool committed = false) => ownership.Send(
        decision.Id.Node,
        new AgentOutcomeMessage
        {
            Transaction = decision.Id,
            FromPartition = ownership.Partition,
            Timestamp = decision.Timestamp,
            Refusal = decision.Refusal,
            IsCommitted = committed || decision.State == DecisionState.Committed,
        });

    /// <summary>Tells all others that take part that it has aborted.</summary>
    public void SendAbort(Decision decision)
    {
        foreach (var part in decision.Parts)
        {
            if (part.Partition == ownership.Partition) continue;
            ownership.SendToPartition(part.Partition, new OutcomeMessage
            {
                Transaction = decision.Id,
                Partition = part.Partition,
                FromPartition = ownership.Partition,
                IsFinal = true,
            });
        }
    }

    /// <summary>Tells all whose logs have not got it yet that it has committed.</summary>
    public void SendCommit(Decision decision)
    {
        if (decision.MustAcknowledge is not { } partitions) return;
        partitions.ToldAt = shared.Now;
        foreach (var partition in partitions) SendCommit(decision, partition);
    }

    /// <summary>Tells one of them.</summary>
    public void SendCommit(Decision decision, int partition, bool soon = false) =>
        ownership.SendToPartition(partition, new OutcomeMessage
        {
            Transaction = decision.Id,
            Partition = partition,
            FromPartition = ownership.Partition,
            Timestamp = decision.Timestamp,
            IsCommitted = true,
            IsFinal = IsFinal(decision),
            IsSoon = soon,
        });

    /// <summary>
    /// The commit record is to go, so those that let their confirms linger are asked for them: a few at a time,
    /// because each costs a store of its own, and all at once they would be in the way of everything else.
    /// </summary>
    public void Hurry(Decision decision)
    {
        if (decision.MustAcknowledge is not { } partitions) return;
        partitions.ToldAt = shared.Now;
        partitions.Hurried = 0;
        HurryMore(decision, partitions);
    }

    /// <summary>Goes on with that.</summary>
    public void HurryMore(Decision decision, Acknowledgers partitions)
    {
        while (partitions.Hurried < Math.Min(partitions.Count, HurriedMax))
            SendCommit(decision, partitions[partitions.Hurried++], soon: true);
    }
}
