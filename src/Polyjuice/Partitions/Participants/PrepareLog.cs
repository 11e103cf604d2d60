using Polyjuice.Contracts;
using Polyjuice.Storage;
using Polyjuice.Versions;

namespace Polyjuice.Partitions;

/// <summary>
/// An owner's prepare records: what a participant votes for (V1). They go into the log in the order of the versions
/// (R1). On its engine's turn.
/// </summary>
internal sealed class PrepareLog(OwnerParts shared, Ownership ownership, AppendPipeline appends)
{
    /// <summary>Writes a record; somebody else's has to be waited for.</summary>
    public void Write(Branch branch)
    {
        branch.Record = PrepareRecord.Written;
        branch.PreparedIn = appends.FillingNumber;
        BranchRecords.WritePrepare(appends.Records, branch, NamesParts(branch) ? branch.Parts : [], ownership.Epoch);
    }

    /// <summary>Writes a record, upon which the participant votes.</summary>
    public void Record(Branch branch)
    {
        Write(branch);
        appends.Queue(new DurableAction(LogRecordKind.Prepare, branch, Round: branch.Round));
    }

    /// <summary>
    /// A manager in a row need not store its own prepare before the commit record: no other log has its word that the
    /// transaction may commit until the commit record says so, and one store carries both (as in V7). It costs nobody
    /// time, since the manager has to wait for the others' stores anyway.
    /// </summary>
    public bool MayHoldBack(Branch branch) =>
        ownership.IsRow && branch.Manager == ownership.Partition && branch.FinalStep is null
            && branch.Record == PrepareRecord.None && !appends.IsAwaited;

    /// <summary>
    /// Records are in the order of the versions (R1): before anything that was built on it is written, so is this.
    /// </summary>
    public void RecordHeldBack(Branch branch)
    {
        if (!branch.IsHeldBack || shared.Breaks == ProtocolBreaks.RowHeldBackLast) return;
        Record(branch);
    }

    /// <summary>
    /// Whether a prepare can't have been handed over to the log yet: then its end goes with it, or neither does.
    /// </summary>
    public bool IsBeingFilled(Branch branch) => branch.PreparedIn == appends.FillingNumber;

    /// <summary>
    /// Whether its prepare record says who takes part. In a row only its manager's does: each row has a record of its
    /// own, and a transaction over many would write the names of all of them into every one. Who comes back from such a
    /// record asks the manager (V5).
    /// </summary>
    private bool NamesParts(Branch branch) =>
        !ownership.IsRow || branch.Manager == ownership.Partition || branch.Parts.Length == 1;
}
