using Polyjuice.Execution;

namespace Polyjuice.Commit;

// Exposure before ordering, and rule R4: what an aborted transaction wrote leaves the chain, with all that was built upon it.
internal sealed partial class PartitionOwner
{
    /// <summary>Makes a private version visible to dirty reads, if it still fits on the tip. If not, validation will tell.</summary>
    public static void Expose(AccessEntry entry)
    {
        if (entry.Write is not { Status: VersionStatus.Private } write || entry.Participant.Tip != entry.Read) return;
        write.Status = VersionStatus.Exposed;
        entry.Participant.Exposed.Add(write);
    }

    /// <summary>Exposes everything that a transaction has buffered here.</summary>
    /// <returns>Whether there was anything that was not exposed yet.</returns>
    public static bool ExposeAll(Branch branch)
    {
        if (branch.State != BranchState.Running) return false;
        var isNew = false;
        foreach (var entry in branch.Entries)
        {
            if (entry.Write is not { } write) continue;
            var wasPrivate = write.Status == VersionStatus.Private;
            isNew |= TryExpose(entry) && wasPrivate;
        }

        return isNew;
    }

    /// <summary>Exposes what a running transaction has written at one participant, and says whether it is.</summary>
    public static bool TryExpose(AccessEntry entry)
    {
        Expose(entry);
        if (entry.Write is not { Status: VersionStatus.Exposed } write) return false;
        entry.Participant.List(write.Writer!, Policies.AccessKind.Update, listed: true);
        return true;
    }

    /// <summary>Takes a version out, wherever it is, and dooms what was built upon it.</summary>
    public void RemoveVersion(StateVersion version)
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

    private void RemoveExposed(Participant participant, int from, int to, StateVersion cause)
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
        participant.Last = version.Previous ?? throw new InvariantException("An undecided version's predecessor was pruned.");
        participant.Last.Next = null;
        if (_engine.Breaks == ProtocolBreaks.R4ResetRts) participant.Last.Rts = participant.Last.Wts;
        _engine.Events?.Removed(version);
        DoomReaders(version);
        if (_engine.Breaks == ProtocolBreaks.NoCascade) return;
        foreach (var victim in victims) Doom(victim, version);
        _engine.Metrics.Cascade(victims.Count);
    }

    /// <summary>Transactions that have read a version which is gone. Those already ordered learn it from the dependency (V5).</summary>
    private void DoomReaders(StateVersion version)
    {
        foreach (var accessor in version.Participant.Accessors.ToArray())
        {
            if (_branches.Find(accessor.Branch) is not { State: BranchState.Running } branch || branch == version.Writer || branch.EntryOf(version.Participant)?.Read != version) continue;
            Doom(branch, version);
        }
    }

    /// <summary>R4: a transaction that built upon an aborted version can't commit.</summary>
    private void Doom(Branch branch, StateVersion cause)
    {
        switch (branch.State)
        {
            case BranchState.Committed:
                throw new InvariantException($"{branch.Transaction} committed, but was built upon version {cause.Id}, which aborted.");
            case BranchState.Aborted:
                return;
            case BranchState.Running:
                _engine.Doom(branch.Transaction, AbortReason.Cascade, cause.Participant, other: cause.Writer?.Transaction);
                return;
        }

        // It has a manager, because what it wrote is in the chain.
        if (branch.Manager != Partition) SendAbortRequest(branch);
        ApplyAbort(branch);
    }

    private void SendAbortRequest(Branch branch) => _ownership.SendToPartition(branch.Manager, new Message
    {
        Kind = MessageKind.AbortRequest,
        Transaction = branch.Id,
        FromPartition = Partition,
        ManagerEpoch = branch.ManagerEpoch,
    });
}
