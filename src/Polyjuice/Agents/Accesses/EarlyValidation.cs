using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Agents;

/// <summary>
/// Early validation (paper §4.3): after the access, the waits of the next row, then a check of what this node has
/// served since the last validated point; only then is the access visible to others. It saves work and decides nothing:
/// commit validates everything.
/// </summary>
/// <remarks>
/// When it fails, and everything since the last point that holds is on this node, that much is undone and the body runs
/// again with the rest served from the record. Otherwise the attempt starts over.
/// </remarks>
internal static class EarlyValidation
{
    /// <summary>Runs it at once, if there is nobody to wait for. False if there is.</summary>
    public static bool TryRun(in StateAccess access)
    {
        var next = NextRowOf(access);
        if ((next.Actions & PolicyActions.HasWaits) != 0 && AccessWaits.IsBlocked(access.Transaction, next))
            return false;
        Validate(access);
        return true;
    }

    public static async ValueTask RunAsync(StateAccess access)
    {
        var transaction = access.Transaction;
        transaction.Validating = checked((ushort)(transaction.Validating + 1));
        try
        {
            var next = NextRowOf(access);
            if ((next.Actions & PolicyActions.HasWaits) != 0) await AccessWaits.ForDependencies(access, next);
            Validate(access);
        }
        finally
        {
            if (--transaction.Validating == 0) access.Engine.Waits.Notify(transaction);
        }
    }

    private static PolicyRow NextRowOf(in StateAccess access) =>
        access.Transaction.Policy.NextRowOf(access.Site.Id, access.Site.TypeId);

    private static void Validate(in StateAccess access)
    {
        var transaction = access.Transaction;
        if (transaction.IsDoomed) throw access.Engine.Exceptions.DoomException(transaction);
        access.Engine.Sites.Count(access.Site.Id, SiteAction.EarlyValidation);
        var failed = FirstInvalid(transaction, access.Has(PolicyActions.ReadDirty));
        if (failed != int.MaxValue)
        {
            access.Engine.Sites.Count(access.Site.Id, SiteAction.EarlyValidationFailure);
            access.Engine.Events?.Refuted(transaction, failed);
            var resumeAt = Undo(access, failed);
            access.Engine.Lifecycle.Doom(
                transaction, AbortReason.EarlyValidation, access.Participant, access.Site.Id, resumeAt: resumeAt);
            throw access.Engine.Exceptions.DoomException(transaction);
        }

        transaction.ValidatedUpTo = transaction.AccessNumber;
        access.PublishNow();
        access.EndSite();
    }

    private static int FirstInvalid(LocalTransaction transaction, bool isDirty)
    {
        var first = int.MaxValue;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            foreach (var entry in branch.Entries)
            {
                if (entry.Number > transaction.ValidatedUpTo && !CanStillCommit(transaction, entry, isDirty))
                    first = Math.Min(first, FirstAccess(transaction, entry));
            }
        }

        return first;
    }

    private static bool CanStillCommit(LocalTransaction transaction, AccessEntry entry, bool isDirty)
    {
        var read = entry.Read;
        if (read.Status == VersionStatus.Removed) return false;

        // Another has exposed what it built on the same version: one of
        // the two fails, and this one has done less so far.
        if (isDirty && entry.Write is { Status: VersionStatus.Private } && entry.Participant.Tip != read) return false;
        if (read.Status == VersionStatus.Exposed) return true;
        if (entry.Write is not null) return entry.Participant.Last == read;
        return read.Next is not { } next || next.Wts > Math.Max(transaction.Start, transaction.Observed + 1);
    }

    private static int FirstAccess(LocalTransaction transaction, AccessEntry entry)
    {
        foreach (var record in transaction.Record ?? [])
        {
            if (record.Participant == entry.Participant) return record.Number;
        }

        return 0;
    }

    /// <summary>
    /// Takes back everything from an access on, if all of it was here. Returns where to resume, or −1.
    /// </summary>
    private static int Undo(in StateAccess access, int from)
    {
        var transaction = access.Transaction;
        if (transaction.IsParallel || transaction.Record is not { } records || from <= 1) return -1;
        var last = from - 1;
        var here = records.Count(record => record.Number >= from);
        if (here != transaction.AccessNumber - from + 1) return -1;
        for (var i = records.Count - 1; i >= 0; i--)
        {
            var record = records[i];
            if (record.Number < from) continue;
            var isServedAgain = record.Number == from && record.After is null
                && access.Engine.Breaks == ProtocolBreaks.StalePrefix;
            if (isServedAgain) last = from;
            else records.RemoveAt(i);
            var owner = record.Participant.Owner;
            if (transaction.BranchAt(owner) is not { State: BranchState.Running } branch
                || branch.EntryOf(record.Participant) is not { } entry)
                return -1;
            if (record.After is { } after)
            {
                // A version replaced another of this transaction for good: that one can't come back.
                if (record.Before.Id.Transaction == transaction.Id) return -1;
                owner.RemoveVersion(after);
                entry.Write = null;
            }

            if (!records.Exists(other => other.Participant == record.Participant && other != record))
            {
                branch.Entries.Remove(entry);
                record.Participant.Unlist(branch);
            }
        }

        transaction.ValidatedUpTo = Math.Min(transaction.ValidatedUpTo, last);
        return last;
    }
}
