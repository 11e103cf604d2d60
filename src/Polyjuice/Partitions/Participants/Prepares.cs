using Polyjuice.Contracts;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// What becomes of a prepare before it comes to ordering. R1b: it names the epoch that served the accesses. R1c: what
/// is answered stays answered. L4: nothing is ordered above the durable ceiling. On its engine's turn.
/// </summary>
internal sealed class Prepares(
    OwnerParts shared, Ownership ownership, Branches branches, RecoveredOutcomes recovered, LateFence fence,
    AppendPipeline appends, LogHealth health, TimestampCeiling ceiling, PrepareReplies replies, Votes votes,
    Cascade cascade, Ordering ordering)
{
    /// <summary>An agent asks that a transaction be ordered.</summary>
    public void OnPrepare(in Message message) => Take(PrepareMessage.Read(message));

    private void Take(in PrepareMessage prepare)
    {
        if (branches.IsDone(prepare.Transaction)) return;
        if (branches.Find(prepare.Transaction) is not { } branch)
        {
            RefuseUnknown(prepare);
            return;
        }

        if (IsAnswered(branch, prepare) || IsUnfit(branch, prepare)) return;
        if (prepare.ReadsOnly && !branch.ReadsOnly) DiscardWrites(branch);
        var writes = !branch.ReadsOnly && branch.HasWrites;
        if (IsRefusedForLog(branch, prepare, writes)) return;

        // L4: nothing is ordered above the durable ceiling, reads included. A row has one state: what is written there
        // leaves a record that says more than a ceiling, before anybody votes on it.
        if (prepare.Timestamp > ceiling.Durable && !(writes && ownership.IsRow)
            && !(!writes && shared.Breaks == ProtocolBreaks.NoCeilingReads))
        {
            ceiling.Hold(prepare);
            return;
        }

        // L4: a successor orders writes only once its own clock has passed what its predecessor may have promised.
        if (writes && ceiling.HoldsForFloor(prepare)) return;
        if (ordering.TryOrder(branch, prepare) is > 0 and var raised) Take(prepare with { Timestamp = raised });
    }

    private void RefuseUnknown(in PrepareMessage prepare)
    {
        var id = prepare.Transaction;
        if (recovered.TryGet(id, out var isCommitted))
        {
            // L2: the log knows better than a tombstone that this prepare, come again, would set up. Dependents ask
            // here.
            if (isCommitted)
            {
                ownership.Send(id.Node, new AgentOutcomeMessage
                {
                    Transaction = id,
                    FromPartition = ownership.Partition,
                    IsCommitted = true,
                });
            }
            else
            {
                replies.Refuse(prepare, AbortReason.Cascade);
            }

            return;
        }

        // R1b: it does not know the transaction. The refusal is remembered, or a late access would contradict it.
        branches.Entomb(id);
        replies.Refuse(prepare, AbortReason.OwnerChanged);
    }

    /// <summary>Whether this round has its answer, which is given again.</summary>
    private bool IsAnswered(Branch branch, in PrepareMessage prepare)
    {
        if (branch.State == BranchState.Aborted)
        {
            replies.Refuse(prepare, branch.Transaction.Doom?.Reason ?? AbortReason.Cascade);
            return true;
        }

        if (!fence.HasServed(prepare) && shared.Breaks != ProtocolBreaks.PrepEpoch)
        {
            // R1c: the agent of a body that met two epochs of this partition asks both, and one answer holds for the
            // round.
            branch.RefusedRound = Math.Max(branch.RefusedRound, prepare.Round);
            replies.Refuse(prepare, AbortReason.OwnerChanged);
            return true;
        }

        if (branch.State == BranchState.Committed) return true;
        if (branch.State != BranchState.Running && prepare.Round <= branch.Round)
        {
            replies.Ordered(branch);
            if (branch.HasVoted) votes.Send(branch);
            return true;
        }

        if (branch.RefusedRound < prepare.Round) return false;
        replies.Refuse(prepare, AbortReason.Validation);
        return true;
    }

    /// <summary>Whether it is refused for what the body did.</summary>
    private bool IsUnfit(Branch branch, in PrepareMessage prepare)
    {
        // The user's own exception is why only the reads are to be ordered: it must not keep them from being validated.
        var doom = branch.Transaction.Doom;
        if (doom?.Reason == AbortReason.UserException && prepare.ReadsOnly) doom = null;
        if (branch.State != BranchState.Running || (doom is null && branch.Accesses == prepare.Accesses)) return false;
        replies.RefuseRound(branch, prepare, doom?.Reason ?? AbortReason.OrphanCall);
        return true;
    }

    /// <summary>Whether it is refused because of the log's state.</summary>
    private bool IsRefusedForLog(Branch branch, in PrepareMessage prepare, bool writes)
    {
        if (branch.State != BranchState.Running) return false;

        // Whoever is ordered now would be neither committed nor aborted until the log can be written again.
        if (health.IsOut && (writes || branch.HasUndecidedReads || prepare.Timestamp > ceiling.Durable))
        {
            replies.RefuseRound(branch, prepare, AbortReason.LogUnavailable);
            return true;
        }

        if (!writes || !appends.IsOverloaded) return false;
        replies.RefuseRound(branch, prepare, AbortReason.LogOverloaded);

        // What a row may drop, it drops when it is written.
        if (ownership.IsRow) ceiling.RequestNext();
        return true;
    }

    /// <summary>An attempt that failed in user code: its reads are to be proven, its writes never happened.</summary>
    private void DiscardWrites(Branch branch)
    {
        branch.ReadsOnly = true;
        foreach (var entry in branch.Entries)
        {
            if (entry.Write is not { } write) continue;
            entry.Write = null;
            cascade.Remove(write);
        }
    }
}
