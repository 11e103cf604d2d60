using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// What all parts of a partition's owner share: which partition it is, in which epoch, whether it serves, and how they
/// speak to the engine in the owner's name. On its engine's turn.
/// </summary>
internal sealed class Ownership
{
    private readonly OwnerParts _shared;
    private readonly PartitionOwner _owner;
    private readonly CancellationTokenSource _stopping = new();

    public Ownership(OwnerParts shared, PartitionOwner owner, int partition)
    {
        _shared = shared;
        _owner = owner;
        Partition = partition;
        IsRow = PartitionNames.IsRow(partition);
    }

    public int Partition { get; }

    /// <inheritdoc cref="VersionedPartition.IsRow"/>
    public bool IsRow { get; }

    /// <inheritdoc cref="PartitionOwner.Epoch"/>
    public long Epoch { get; private set; }

    /// <inheritdoc cref="PartitionOwner.IsActive"/>
    public bool IsActive { get; private set; }

    /// <summary>It serves no longer, and never will again.</summary>
    public bool IsStopped => _stopping.IsCancellationRequested;

    /// <summary>Cancelled when it stops.</summary>
    public CancellationToken Stopping => _stopping.Token;

    /// <summary>For people.</summary>
    public string Name => _shared.Names.Describe(Partition);

    /// <summary>It serves from now on.</summary>
    public void Begin(long epoch)
    {
        Epoch = epoch;
        IsActive = true;
    }

    /// <inheritdoc cref="IsStopped"/>
    public void End()
    {
        IsActive = false;
        _shared.Events?.Stopped(_owner);
        _stopping.Cancel();
    }

    /// <summary>Says something to a node, its own included.</summary>
    public void Send(NodeId destination, in Message message)
    {
        _shared.Events?.Said(this, message);
        _shared.Mail.Send(destination, message);
    }

    /// <summary>Says something to whoever owns a partition.</summary>
    public void SendToPartition(int partition, in Message message)
    {
        _shared.Events?.Said(this, message);
        _shared.Partitions.Send(partition, message);
    }

    /// <summary>
    /// Answers who asked, not who owns its partition by now: an owner that does not know that it was deposed would ask
    /// for ever, and finds out as soon as it logs the answer.
    /// </summary>
    /// <param name="asker">Who asked; none if it is whoever owns the partition.</param>
    /// <param name="partition">For which partition.</param>
    /// <param name="answer">What is said.</param>
    public void Answer(NodeId asker, int partition, in Message answer)
    {
        if (asker == NodeId.None || asker == _shared.Node) SendToPartition(partition, answer);
        else Send(asker, answer);
    }

    /// <summary>There may be something to append, or to send.</summary>
    public void RequestFlush()
    {
        if (IsRow) _shared.Rows.AwaitFlush(_owner);
        _shared.Mail.RequestFlush();
    }

    /// <summary>Something here may have to be repeated, or forgotten, later.</summary>
    public void Stir()
    {
        if (IsRow) _shared.Rows.AwaitTick(_owner);
    }

    /// <summary>Looks after a row in its next turn if it waits for a turn at all.</summary>
    public void StirIfRestless()
    {
        if (_owner.RestlessAt >= 0) _shared.Rows.AwaitTick(_owner);
    }

    /// <summary>L1: an append has found another owner's records in its place.</summary>
    public void LoseToRival() => _shared.Partitions.LoseToRival(_owner);

    /// <summary>The partition can't be served at all.</summary>
    public void GiveUp() => _shared.Partitions.Depose(_owner);
}
