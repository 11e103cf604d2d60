using Polyjuice.Contracts;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>The partitions that this node owns, in logs and in rows: who finds them, and who takes them over.</summary>
internal sealed class OwnedPartitions(EngineContext context, Mail mail, LogOwners logs, RowOwners rows)
{
    public IEnumerable<PartitionOwner> All => logs.All.Concat(rows.All);

    public PartitionOwner? Owner(int partition) => Find(partition) is { IsActive: true } owner ? owner : null;

    public PartitionOwner? Find(int partition) => logs.Has(partition) ? logs.Find(partition) : rows.Find(partition);

    /// <summary>Owners that may have something undecided.</summary>
    public PartitionOwner[] Undecided() => [.. logs.All, .. rows.All.Where(static row => row.RestlessAt >= 0)];

    public void Send(int partition, Message message)
    {
        message.Partition = partition;
        if (Find(partition) is { IsActive: true }) mail.SendLocal(message);
        else
        {
            var owner = PartitionNames.IsRow(partition) ? rows.OwnerOf(message) : context.Host.OwnerOf(partition);

            // An owner that is still recovering here will be asked again.
            if (owner != context.Node) mail.Send(owner, message);
        }
    }

    /// <summary>
    /// A later epoch is proof that the owner here was deposed. It would learn that from its next append, but while it
    /// has nothing to append, this node's transactions would go to it and be refused, for ever (L1, I4).
    /// </summary>
    public void NoteEpoch(int partition, long epoch)
    {
        if (Find(partition) is not { IsActive: true } owner || owner.Epoch >= epoch) return;
        if (owner.IsRow) rows.BeginAfter(partition, epoch);
        LoseToRival(owner);
    }

    /// <summary>Another node has taken its partition over.</summary>
    public void LoseToRival(PartitionOwner owner)
    {
        context.Log.Deposed(context.Names.Describe(owner.Partition), owner.Epoch);
        Depose(owner);
    }

    /// <summary>
    /// A rival that had loaded the same row has written there first, and has the epoch that this node's owner would
    /// have had.
    /// </summary>
    public void NoteRival(NodeId rival, int partition, long epoch)
    {
        if (rival == context.Node || rows.Find(partition) is not { IsActive: true, IsFenced: false } owner) return;
        if (owner.Epoch <= epoch) LoseToRival(owner);
    }

    public void Depose(PartitionOwner owner)
    {
        owner.Stop();
        if (owner.IsRow) rows.Depose(owner);
        else logs.Forget(owner);
    }

    /// <summary>
    /// Why a partition's log was not written when that was last tried, if this node owns it; a transaction that was
    /// not prepared has no manager yet (−1).
    /// </summary>
    public string? LogFailureAt(int partition) => partition >= 0 ? Owner(partition)?.LogFailure : null;
}
