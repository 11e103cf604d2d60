using Polyjuice.Contracts;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>
/// R4: what an aborted transaction wrote leaves the chain, with all that was built upon it; read timestamps stay. On
/// its engine's turn.
/// </summary>
internal sealed class Cascade(
    OwnerParts shared, Ownership ownership, Branches branches, PrepareReplies replies, OutcomeRecords records,
    DependencyQueries queries, IOwnDecisions decisions)
{
    /// <summary>Takes a transaction out of the chains. If its prepare is in the log, so will be its end.</summary>
    public void Abort(Branch branch)
    {
        var wasOrdered = branch.State is BranchState.Ordered or BranchState.Logged;
        branch.State = BranchState.Aborted;
        branch.Touched = shared.Now;
        shared.Events?.Ended(ownership, branch.Id, committed: false);
        replies.Unpark(branch);
        var isStaged = decisions.BranchAborts(branch);
        foreach (var entry in branch.Entries)
        {
            if (entry.Write is { } write) Remove(write);
        }

        if (wasOrdered && branch.WillLog && !branch.OutcomeQueued && !branch.IsHeldBack)
        {
            records.Log(branch, branch.Id, committed: false, branch.Manager, isAwaited: isStaged);
        }

        shared.Lifecycle.End(branch.Transaction, aborted: true);
        branch.Transaction.Reservations?.ReleaseAt(branch.Owner);
        replies.WakeParked(branch);
        queries.AnswerAll(branch, committed: false);
        branches.TryFinish(branch);
    }

    /// <summary>Takes a version out, wherever it is, and dooms what was built upon it.</summary>
    public void Remove(StateVersion version)
    {
        var participant = version.Participant;
        switch (version.Status)
        {
            case VersionStatus.Private:
                version.Status = VersionStatus.Removed;
                break;
            case VersionStatus.Exposed:
                var at = participant.Exposed.IndexOf(version);
                RemoveExposed(participant, at, participant.Exposed.Count, version);
                break;
            case VersionStatus.Ordered:
                RemoveOrdered(participant, version);
                break;
        }
    }

    /// <summary>Takes exposed versions out for the sake of one, and dooms who wrote or read them.</summary>
    public void RemoveExposed(Participant participant, int from, int to, StateVersion cause)
    {
        for (var i = to - 1; i >= from; i--)
        {
            var version = participant.Exposed[i];
            participant.Exposed.RemoveAt(i);
            version.Status = VersionStatus.Removed;
            DoomReaders(version);
            if (version != cause && version.Writer is { } writer && writer != cause.Writer) Doom(writer, cause);
        }
    }

    private void RemoveOrdered(Participant participant, StateVersion version)
    {
        RemoveExposed(participant, 0, participant.Exposed.Count, version);
        var victims = new List<Branch>();
        for (var later = participant.Last; later != version; later = later.Previous!)
        {
            later.Status = VersionStatus.Removed;
            if (later.Writer is { } writer && writer != version.Writer) victims.Add(writer);
            DoomReaders(later);
        }

        version.Status = VersionStatus.Removed;
        participant.Last = version.Previous
            ?? throw new InvariantException("An undecided version's predecessor was pruned.");
        participant.Last.Next = null;
        if (shared.Breaks == ProtocolBreaks.R4ResetRts) participant.Last.Rts = participant.Last.Wts;
        shared.Events?.Removed(version);
        DoomReaders(version);
        if (shared.Breaks == ProtocolBreaks.NoCascade) return;
        foreach (var victim in victims) Doom(victim, version);
        shared.Metrics.Cascade(victims.Count);
    }

    /// <summary>
    /// Transactions that have read a version which is gone. Those already ordered learn it from the dependency (V5).
    /// </summary>
    private void DoomReaders(StateVersion version)
    {
        foreach (var accessor in version.Participant.Accessors.ToArray())
        {
            if (branches.Find(accessor.Branch) is not { State: BranchState.Running } branch || branch == version.Writer
                || branch.EntryOf(version.Participant)?.Read != version)
            {
                continue;
            }
            Doom(branch, version);
        }
    }

    /// <summary>A transaction that built upon an aborted version can't commit.</summary>
    private void Doom(Branch branch, StateVersion cause)
    {
        switch (branch.State)
        {
            case BranchState.Committed:
                throw new InvariantException(
                    $"{branch.Transaction} committed, but was built upon version {cause.Id}, which aborted.");
            case BranchState.Aborted:
                return;
            case BranchState.Running:
                shared.Lifecycle.Doom(
                    branch.Transaction, AbortReason.Cascade, cause.Participant, other: cause.Writer?.Transaction);
                return;
        }

        // It has a manager, because what it wrote is in the chain.
        if (branch.Manager != ownership.Partition) SendAbortRequest(branch);
        Abort(branch);
    }

    private void SendAbortRequest(Branch branch) => ownership.SendToPartition(branch.Manager, new QueryMessage
    {
        WishesAbort = true,
        Transaction = branch.Id,
        FromPartition = ownership.Partition,
        ManagerEpoch = branch.ManagerEpoch,
    });
}
