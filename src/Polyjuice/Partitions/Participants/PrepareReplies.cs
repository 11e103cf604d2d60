using Polyjuice.Contracts;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Waits;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// What is said to a prepare, at once or when what it waits for is there. A prepare that was built on an exposed
/// version, or overwrites what another transaction has reserved, is parked until that one is ordered or gone. On its
/// engine's turn.
/// </summary>
internal sealed class PrepareReplies(OwnerParts shared, Ownership ownership, Branches branches)
{
    /// <summary>R1: it is ordered.</summary>
    public void Ordered(Branch branch) => ownership.Send(branch.Agent, new PrepareReplyMessage
    {
        Transaction = branch.Id,
        FromPartition = ownership.Partition,
        Round = branch.Round,
        Epoch = ownership.Epoch,
        Timestamp = branch.Timestamp,
        IsOrdered = true,
    });

    /// <summary>R2: says above which timestamp it can be ordered, and orders nothing.</summary>
    public void Suggest(Branch branch, in PrepareMessage prepare, long suggestion) =>
        ownership.Send(branch.Agent, new PrepareReplyMessage
        {
            Transaction = branch.Id,
            FromPartition = ownership.Partition,
            Round = prepare.Round,
            MayRetime = true,
            Timestamp = suggestion,
        });

    /// <summary>Refuses what a branch asks for in this round.</summary>
    public void RefuseRound(
        Branch branch, in PrepareMessage prepare, AbortReason reason, Participant? participant = null)
    {
        branch.RefusedRound = prepare.Round;
        Refuse(prepare, reason, participant);
    }

    /// <summary>Refuses the round that what was parked is of.</summary>
    private void RefuseRound(Branch branch, in Message parked, AbortReason reason, Participant? participant = null)
    {
        if (parked.Kind == MessageKind.Prepare)
        {
            RefuseRound(branch, PrepareMessage.Read(parked), reason, participant);
            return;
        }

        // The agent of this node has not asked for anything yet: nothing is known of the epoch that it would name.
        branch.RefusedRound = ContinueMessage.Read(parked).Round;
        Refuse(branch.Id, branch.RefusedRound, servedIn: 0, reason, participant);
    }

    /// <summary>
    /// Refuses a round, for good: what is refused is never ordered when the same prepare comes again. So the
    /// transaction can't commit, unless this participant may have a prepare of it all the same: in an epoch after this
    /// one, which served the accesses, or because one was written, here or in an earlier epoch.
    /// </summary>
    public void Refuse(in PrepareMessage prepare, AbortReason reason, Participant? participant = null) =>
        Refuse(prepare.Transaction, prepare.Round, prepare.Epoch, reason, participant);

    private void Refuse(TransactionId id, int round, long servedIn, AbortReason reason, Participant? participant)
    {
        var mayBePrepared = servedIn > ownership.Epoch
            || branches.Find(id) is { Record: PrepareRecord.Written };
        if (participant is not null) shared.Lifecycle.NoteConflict(id, participant);
        ownership.Send(id.Node, new PrepareReplyMessage
        {
            Transaction = id,
            FromPartition = ownership.Partition,
            Round = round,
            NeverCommits = !mayBePrepared,
            Reason = reason,
        });
    }

    /// <summary>
    /// Whether the agent of this node must wait for a version to be ordered before it asks anybody; if so, it will be
    /// told to go on.
    /// </summary>
    public bool AwaitOrder(Branch branch, int round)
    {
        if (branch.State != BranchState.Running || branch.UnorderedRead is not { } read) return false;
        Park(branch, read.Writer!, read.Participant, new ContinueMessage
        {
            Transaction = branch.Id,
            Partition = ownership.Partition,
            Round = round,
        });
        return true;
    }

    /// <summary>
    /// The version that a prepare was built on is not ordered yet, or who has reserved what it is to overwrite: the
    /// prepare waits here until that transaction is ordered, which is an edge of the wait graph.
    /// </summary>
    /// <param name="branch">Whose.</param>
    /// <param name="writer">Who is waited for.</param>
    /// <param name="participant">Where.</param>
    /// <param name="prepare">The prepare; or what its agent, of this node, says to itself before it asks.</param>
    public void Park(Branch branch, Branch writer, Participant participant, in Message prepare)
    {
        Unpark(branch);
        var parked = branch.ParkedPrepare = new ParkedPrepare(prepare);
        (writer.Parked ??= []).Add(branch);
        var isHandedOn = participant.Reservations?.IsInOrder(writer.Transaction, branch.Transaction) == true;
        var site = isHandedOn ? Wait.HandedOnSite : Wait.NoSite;
        var wait = shared.Waits.Register(branch.Transaction, writer.Transaction, Wait.Sealed, site);
        parked.Wait = wait;
        if (shared.Waits.HasUnordered && shared.Waits.BreakCycle(wait) == CycleBreak.SelfDoomed && branch.IsParked)
        {
            Unpark(branch);
            RefuseRound(branch, prepare, AbortReason.Deadlock, participant);
        }
    }

    public void Unpark(Branch branch)
    {
        if (branch.ParkedPrepare is not { } parked) return;
        branch.ParkedPrepare = null;
        if (parked.Wait is { } wait) shared.Waits.Remove((Wait)wait);
    }

    /// <summary>The version others were parked for is ordered, or gone: they try again.</summary>
    public void WakeParked(Branch branch)
    {
        if (branch.Parked is not { } parked) return;
        branch.Parked = null;
        foreach (var waiting in parked)
        {
            if (waiting.ParkedPrepare is not { } prepare) continue;
            Unpark(waiting);
            shared.Mail.SendLocal(prepare.Prepare);
        }
    }

    /// <summary>A parked prepare whose transaction lost a cycle.</summary>
    public void RefuseParked(Branch branch)
    {
        if (branch.ParkedPrepare is not { } parked) return;
        Unpark(branch);
        RefuseRound(branch, parked.Prepare, branch.Transaction.Doom?.Reason ?? AbortReason.Deadlock);
    }
}
