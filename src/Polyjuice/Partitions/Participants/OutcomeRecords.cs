using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>A participant's log of outcomes, and what it tells managers of it: V4, V6. On its engine's turn.</summary>
internal sealed class OutcomeRecords(Ownership ownership, Branches branches, AppendPipeline appends)
{
    /// <summary>Writes an outcome, and acknowledges it when it is durable.</summary>
    /// <param name="branch">Whose; none if it is forgotten.</param>
    /// <param name="id">Whose.</param>
    /// <param name="committed">Which.</param>
    /// <param name="manager">To whom it is acknowledged.</param>
    /// <param name="asker">Who asks for that; none if it is whoever owns the manager's partition.</param>
    /// <param name="isAwaited">Somebody waits for it.</param>
    public void Log(
        Branch? branch, TransactionId id, bool committed, int manager, NodeId asker = default, bool isAwaited = true)
    {
        if (branch is not null) branch.OutcomeQueued = true;
        LogRecords.WriteOutcome(appends.Records, id, committed, manager);
        var action = new DurableAction(
            LogRecordKind.Outcome, branch ?? branches.StandIn(id), Committed: committed, Manager: manager,
            Asker: asker);
        if (isAwaited) appends.Queue(action);
        else appends.QueueLazily(action);
    }

    /// <summary>V4: an abort that is in the log before it is applied or told.</summary>
    public void LogAbort(Branch branch)
    {
        if (!branch.OutcomeQueued) Log(branch, branch.Id, committed: false, branch.Manager);
    }

    /// <summary>V6: tells the manager that the outcome is in this log.</summary>
    public void Acknowledge(TransactionId id, int manager, NodeId asker) =>
        ownership.Answer(asker, manager, new Message
        {
            Kind = MessageKind.Acknowledge,
            Transaction = id,
            Partition = manager,
            FromPartition = ownership.Partition,
        });
}
