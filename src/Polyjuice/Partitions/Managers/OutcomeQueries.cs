using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// What a manager answers to who asks what became of a transaction, or wishes that it be aborted. V2: an earlier epoch
/// than the prepare named stays silent, a later one answers "aborted". V4: before "unknown" is said, it is made true
/// for good. On its engine's turn.
/// </summary>
internal sealed class OutcomeQueries(
    OwnerParts shared, Ownership ownership, Branches branches, RecoveredOutcomes recovered, Decisions decisions,
    Cascade cascade, OutcomeRecords records, OutcomeMessages messages, Manager manager)
{
    /// <summary>An inquiry by a participant, or an agent's or participant's wish that it be aborted.</summary>
    public void OnQuery(in Message message)
    {
        var query = QueryMessage.Read(message);
        var id = query.Transaction;

        // V2. Who is silent because it was deposed gives up: otherwise a participant beside it would ask it for ever
        // (I4).
        if (ownership.Epoch < query.ManagerEpoch && shared.Breaks != ProtocolBreaks.MgrEpoch)
        {
            shared.Partitions.NoteEpoch(ownership.Partition, query.ManagerEpoch);
            return;
        }

        var (isCommitted, isFinal, isUnknown) = (false, true, false);
        var timestamp = 0L;
        if (decisions.Find(id) is { } decision)
        {
            timestamp = decision.Timestamp;
            if (query.WishesAbort && MayAbort(decision))
            {
                if (query.NeverCommits) manager.Abort(decision);
                else manager.TryAbort(decision);
            }

            if (decision.State is not (DecisionState.Committed or DecisionState.Aborted)) return;
            isCommitted = decision.State == DecisionState.Committed;
            isFinal = !isCommitted || messages.IsFinal(decision);
        }
        else if (branches.Find(id) is { State: BranchState.Committed } || recovered.IsCommitted(id))
        {
            isCommitted = true;
        }
        else
        {
            isUnknown = true;
            if (shared.Breaks != ProtocolBreaks.Tomb) MakeAborted(query);
        }

        Answer(query, timestamp, isCommitted, isFinal, isUnknown);
    }

    /// <summary>V3: not while a commit record is on its way.</summary>
    private bool MayAbort(Decision decision) =>
        decision.State == DecisionState.Collecting
        || (decision.State == DecisionState.Recording && shared.Breaks == ProtocolBreaks.AbortWhileRecording)
        || (decision.State == DecisionState.TakingFinalStep && shared.Breaks == ProtocolBreaks.FinalStepAbort);

    /// <summary>V4: what this manager does not know can never commit from now on.</summary>
    private void MakeAborted(in QueryMessage query)
    {
        if (branches.Find(query.Transaction) is not { } known)
        {
            if (!branches.IsDone(query.Transaction)) branches.Entomb(query.Transaction);
        }
        else if (known.State == BranchState.Logged && known.Manager == ownership.Partition
            && query.FromPartition != ownership.Partition)
        {
            records.LogAbort(known);
        }
        else if (known.State == BranchState.Running)
        {
            cascade.Abort(known);
        }
    }

    private void Answer(in QueryMessage query, long timestamp, bool isCommitted, bool isFinal, bool isUnknown)
    {
        if (query.IsToAgent)
        {
            ownership.Send(query.Transaction.Node, new AgentOutcomeMessage
            {
                Transaction = query.Transaction,
                FromPartition = ownership.Partition,
                Timestamp = timestamp,
                IsCommitted = isCommitted,
                IsFinal = isFinal,
                IsUnknown = isUnknown,
            });
        }
        else
        {
            ownership.Answer(query.From, query.FromPartition, new OutcomeMessage
            {
                Transaction = query.Transaction,
                Partition = query.FromPartition,
                FromPartition = ownership.Partition,
                Timestamp = timestamp,
                IsCommitted = isCommitted,
                IsFinal = isFinal,
                IsUnknown = isUnknown,
            });
        }
    }
}
