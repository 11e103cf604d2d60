using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>One access on its way: which transaction, where, by which row.</summary>
internal readonly struct StateAccess(
    EngineParts engine, CallFrame frame, LocalTransaction transaction, Participant participant, SiteInfo site,
    PolicyRow row, AccessKind kind, int number, bool keepsTurn)
{
    public readonly EngineParts Engine = engine;
    public readonly CallFrame Frame = frame;
    public readonly LocalTransaction Transaction = transaction;
    public readonly Participant Participant = participant;
    public readonly SiteInfo Site = site;
    public readonly PolicyRow Row = row;
    public readonly AccessKind Kind = kind;
    public readonly int Number = number;

    /// <summary>Whether other calls of the grain have to wait while this access does.</summary>
    public readonly bool KeepsTurn = keepsTurn;

    /// <summary>Its place in the queue of those who wait for holders, if it has waited there; otherwise 0.</summary>
    public long Place { get; init; }

    /// <summary>If it waits for holders of some types only, the row that says which.</summary>
    public PolicyRow? ByType => Has(PolicyActions.HoldersByType) ? Row : null;

    public bool Has(PolicyActions action) => (Row.Actions & action) != 0;

    /// <summary>
    /// Whether the latest version is taken, sealed or not: as the row says, and always by who has reserved. That comes
    /// after all that were there before it, at other participants too, and could not go back behind one of them here.
    /// </summary>
    public bool ReadsLatest => Has(PolicyActions.ReadDirty) || Transaction.Reservations is { KeepsToPlan: true };

    private StateVersion VersionToRead
    {
        get
        {
            if (Has(PolicyActions.ReadDirty)) return Participant.Tip;
            if (!ReadsLatest) return Participant.LatestSealed;
            return Participant.Tip is { Status: VersionStatus.Exposed, Writer: { } writer } tip
                && Participant.Reservations is { } reservations
                && writer.Transaction.Reservations?.HandedOn(reservations) is not null
                ? tip
                : Participant.Last;
        }
    }

    public void BeginSite()
    {
        if (!Transaction.Policy.IsWatched(Transaction.TypeId) && !Transaction.Policy.HasWaits) return;
        Frame.BeginSite(Transaction.Policy.PositionOf(Site.Id));
    }

    public void EndSite()
    {
        if (!Transaction.Policy.IsWatched(Transaction.TypeId)) return;
        var position = Transaction.Policy.PositionOf(Site.Id);
        if (position >= 0) Frame.EndSite(position, Transaction.Policy.IsLoop(Site.Id));
    }

    /// <summary>
    /// Finds what the access is about: the transaction's own entry, or the version that the row says to read.
    /// </summary>
    public AccessEntry Enter()
    {
        if (!Participant.Owner.IsActive) Abort(AbortReason.OwnerChanged);
        if (Transaction.IsDoomed || Transaction.IsSealed) throw Engine.Exceptions.DoomException(Transaction);
        var branch = Participant.Owner.BranchForAccess(Transaction);
        if (branch is null) Abort(AbortReason.AttemptEnded);
        branch!.Accesses++;
        Transaction.Reservations?.Note(Engine.Queues, Transaction, Participant, Kind, Site.Id);
        if (branch.EntryOf(Participant) is { } known)
        {
            known.Number = Number;
            if (known.Read.Status == VersionStatus.Removed) Abort(AbortReason.Cascade);
            Engine.Events?.Accessed(branch, known.Read, Number);
            Participant.List(branch, Kind, listed: false);
            if (!Site.IsRepeated && Transaction.Policy.IsWatched(Transaction.TypeId) && IsSiteRepeated(branch))
                Site.MarkRepeated();
            return known;
        }

        var version = VersionToRead;
        if (!version.IsCommitted) RequireLog();
        if (!version.IsSealed && Has(PolicyActions.ReadDirty)) Engine.Sites.Count(Site.Id, SiteAction.DirtyRead);
        if (version.Status == VersionStatus.Ordered)
            Transaction.Observed = Math.Max(
                Transaction.Observed, Kind == AccessKind.Update ? Math.Max(version.Wts, version.Rts) : version.Wts);
        if (Transaction.Policy.HasWaits) Follow(version);
        if (!Site.IsRepeated && Transaction.Policy.IsWatched(Transaction.TypeId) && IsSiteRepeated(branch))
            Site.MarkRepeated();
        var entry = new AccessEntry(version) { Number = Number, SiteId = Site.Id };
        version.Pins++;
        branch.Entries.Add(entry);
        Engine.Events?.Accessed(branch, version, Number);
        Participant.List(branch, Kind, listed: false, PlaceAmongHolders);
        return entry;
    }

    /// <summary>
    /// Who waits for holders of some types only goes past those of the others who wait, and is not waited for by them.
    /// </summary>
    private long? PlaceAmongHolders
    {
        get
        {
            if (!Has(PolicyActions.WaitForHolders)) return null;
            if (!Has(PolicyActions.HoldersByType)) return 0;
            return Place > 0 ? Place : null;
        }
    }

    /// <summary>
    /// Keeps a copy of a new value. A version that others may have seen is replaced, not changed (rule R1a).
    /// </summary>
    public StateVersion Write<T>(AccessEntry entry, T value, StateAdapter<T> adapter) where T : class
    {
        // The copy first: if the codec throws, and the body goes on all the same, nothing must have changed.
        var branch = Transaction.BranchAt(Participant.Partition)!;
        if (entry.Write is { Status: VersionStatus.Private } own && Transaction.Record is null)
        {
            own.Content = Keep(value, null, adapter);
            own.Id = new VersionId(Transaction.Id, ++branch.Writes);
            Engine.Events?.Wrote(branch, own);
            return own;
        }

        if (entry.Write is { } broken && Engine.Breaks == ProtocolBreaks.VidSeq)
        {
            broken.Content = Keep(value, null, adapter);
            Engine.Events?.Wrote(branch, broken);
            return broken;
        }

        var version = Participant.NewVersion(new VersionId(Transaction.Id, ++branch.Writes), branch, entry.Read);
        version.Content = Keep(value, version.Content, adapter);
        if (entry.Write is { } earlier) Participant.Owner.RemoveVersion(earlier);
        entry.Write = version;
        Engine.Events?.Wrote(branch, version);
        return version;
    }

    /// <summary>
    /// A copy that nothing which user code still holds can reach; made in
    /// the content of a version that has been forgotten, if there is one.
    /// </summary>
    private T Keep<T>(T value, object? spent, StateAdapter<T> adapter) where T : class
    {
        if (Engine.Breaks == ProtocolBreaks.SharedState) return value;
        return spent is T instance ? adapter.Codec.Copy(value, instance) : adapter.Codec.Copy(value);
    }

    public void Note(AccessEntry entry, StateVersion before, StateVersion? after)
    {
        // Who waits for the site wants to find there what it wrote: with an early validation, that is after it.
        if (!Has(PolicyActions.EarlyValidation)) EndSite();
        Transaction.Record?.Add(new AccessRecord(Number, Site, Participant, before, after));
    }

    /// <summary>
    /// A row that does not validate early: the access is in the list at once, and exposed if the row says so.
    /// </summary>
    public void PublishNow()
    {
        if (Transaction.BranchAt(Participant.Partition) is not { } branch
            || branch.EntryOf(Participant) is not { } entry)
            return;
        if (Kind == AccessKind.Read) Participant.List(branch, Kind, listed: true);
        if (!Has(PolicyActions.WritePublic)) return;
        if (entry.Write is { Status: VersionStatus.Exposed } && Kind == AccessKind.Read) return;
        if (Engine.Exposures.ExposeAll(Transaction)) Engine.Sites.Count(Site.Id, SiteAction.Exposure);
    }

    /// <summary>The access is over, by a row that does not validate early.</summary>
    public void End()
    {
        PublishNow();
        Transaction.Reservations?.EndAccess(Transaction, Participant, Engine.Breaks);
    }

    public AccessRecord Recorded()
    {
        foreach (var record in Transaction.Record!)
        {
            if (record.Number != Number) continue;
            if (record.Site.Id != Site.Id || record.Participant != Participant) break;
            return record;
        }

        Abort(AbortReason.EarlyValidation);
        return null!;
    }

    /// <summary>
    /// Whether a replayed update came to the same state; one that nobody has seen may come to another.
    /// </summary>
    public bool Matches<T>(StateVersion after, T value, StateAdapter<T> adapter) where T : class
    {
        if (after.Status == VersionStatus.Removed) return false;
        var recorded = new ByteWriter();
        var now = new ByteWriter();
        adapter.Encode(after.GetValue(adapter), recorded);
        adapter.Encode(value, now);
        return recorded.Written.SequenceEqual(now.Written);
    }

    /// <summary>
    /// Refuses an access whose transaction could not commit now: to let it run, and wait, would help nobody.
    /// </summary>
    public void RequireLog()
    {
        if (!Participant.Owner.IsLogOut) return;
        Engine.Lifecycle.DoomByLog(Transaction, Participant, Site.Id);
        throw Engine.Exceptions.DoomException(Transaction);
    }

    public void Abort(AbortReason reason, LocalTransaction? other = null)
    {
        Engine.Lifecycle.Doom(Transaction, reason, Participant, Site.Id, other);
        throw Engine.Exceptions.DoomException(Transaction);
    }

    /// <summary>
    /// Conflicting accesses that came before: those of the list, as far as policies see them (paper §3.1).
    /// </summary>
    private void Follow(StateVersion version)
    {
        foreach (var accessor in Participant.Accessors)
        {
            if (!accessor.IsListed || Participant.TransactionOf(accessor) is not { } other || other == Transaction)
                continue;
            if (Kind == AccessKind.Update || (accessor.Updates && Has(PolicyActions.ReadDirty)))
                Transaction.AddPredecessor(other);
        }

        if (version.Writer is { IsUndecided: true } writer) Transaction.AddPredecessor(writer.Transaction);
    }

    private bool IsSiteRepeated(Branch branch)
    {
        foreach (var entry in branch.Entries)
        {
            if (entry.SiteId == Site.Id) return true;
        }

        return false;
    }
}
