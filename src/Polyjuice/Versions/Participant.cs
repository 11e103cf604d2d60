using Polyjuice.Contracts;
using Polyjuice.Policies;

namespace Polyjuice.Versions;

/// <summary>
/// One transactional state of one grain at the node that owns its partition: its versions and who accesses them.
/// </summary>
internal sealed class Participant
{
    private readonly List<Accessor> _accessors = new(2);
    private LockRequest? _firstRequest;
    private LockRequest? _lastRequest;
    private long _places;

    // Committed versions behind the last one, at most; and at how many of them the chain is walked.
    private int _history;
    private int _pruneAt = 1;
    private Heat _heat;

    // Where versions to use again come from, and go.
    private SpareVersions? _spares;

    public Participant(VersionedPartition partition, ParticipantKey key)
    {
        Partition = partition;
        Key = key;
        Last = new StateVersion(this, default, null, null) { Status = VersionStatus.Ordered, IsCommitted = true };
    }

    /// <summary>Where it is.</summary>
    public VersionedPartition Partition { get; }

    public ParticipantKey Key { get; }

    /// <summary>
    /// Its number in traces, which counts only if it is above those
    /// of earlier files; see <see cref="Tracing.TraceRecorder"/>.
    /// </summary>
    public int TraceNumber { get; set; }

    /// <summary>The window in which its state was traced last; see <see cref="Tracing.TraceRecorder"/>.</summary>
    public int StateTracedIn { get; set; }

    /// <summary>The key as log records hold it, once one has been written: the same for each.</summary>
    public byte[]? LoggedKey { get; set; }

    /// <summary>Set by the first activation; a recovered participant has none before.</summary>
    public StateAdapter? Adapter { get; set; }

    /// <summary>
    /// Whether its grain is active, as far as is known: whoever reserves it need not have that activated first.
    /// </summary>
    public bool IsLoaded { get; set; }

    /// <summary>The last ordered version; its predecessors are behind it.</summary>
    public StateVersion Last { get; set; }

    /// <summary>
    /// Exposed versions, each built on the one before, the first on
    /// <see cref="Last"/> (or on an earlier one that has been overtaken).
    /// </summary>
    public ExposedVersions Exposed;

    public IReadOnlyList<Accessor> Accessors => _accessors;

    /// <summary>Whether a transaction that is not sealed yet has updated it.</summary>
    public bool HasWriters
    {
        get
        {
            foreach (var accessor in _accessors)
            {
                if (accessor.Updates) return true;
            }

            return false;
        }
    }

    /// <summary>Whether many meet here, as far as a table asks for that.</summary>
    public ref readonly Heat Heat => ref _heat;

    /// <summary>
    /// When it was last seen to be hot, and whether its node counts it among those that are. For
    /// <see cref="Reservations.HotParticipants"/>, by its count of time.
    /// </summary>
    public long SeenHotAt { get; set; }

    /// <inheritdoc cref="SeenHotAt"/>
    public bool IsAmongHot { get; set; }

    /// <summary>
    /// A transaction is about to access it. Looks at the latest of the
    /// others only, so that it costs the same however many there are.
    /// </summary>
    /// <returns>Whether the participant is hot, or was until now.</returns>
    public bool Warm(LocalTransaction transaction, AccessKind kind)
    {
        var wasHot = _heat.IsHot;
        // What a transaction does again is no news; and who has reserved it was counted when it did.
        if (IsReservedBy(transaction)) return wasHot;
        if (_accessors.Count == 0 || TransactionOf(_accessors[^1]) != transaction)
            _heat.Accessed(IsMet(kind == AccessKind.Update));
        return wasHot || _heat.IsHot;
    }

    /// <summary>Counts an access that is about to be made, before any wait and before <see cref="Warm"/>.</summary>
    /// <param name="transaction">Whose.</param>
    /// <param name="kind">Whether it updates.</param>
    /// <param name="counts">Where.</param>
    public void Observe(LocalTransaction transaction, AccessKind kind, ref ObservedAccesses counts)
    {
        var updates = kind == AccessKind.Update;
        var branch = transaction.BranchAt(Partition);
        counts.Accesses++;
        if (updates) counts.Updates++;
        if (!transaction.IsAgentHere) counts.Remote++;
        if (_heat.IsHot) counts.Hot++;
        if (branch?.EntryOf(this) is not null)
        {
            // What it does again meets nobody new.
            if (updates) counts.Upgrades++;
            return;
        }

        if (!IsMet(updates)) return;
        counts.Met++;
        if (branch is not null) counts.MetLater++;
    }

    /// <summary>
    /// A transaction reserves it. Who waits for that meets nobody later, so what it finds here now is what counts.
    /// </summary>
    /// <param name="isExclusive">Whether for an update.</param>
    /// <param name="waits">Whether others have reserved it in conflict and are still there.</param>
    public void WarmReserved(bool isExclusive, bool waits) => _heat.Accessed(waits || IsMet(isExclusive));

    private bool IsMet(bool updates) => _accessors.Count > 0 && (updates || _accessors[^1].Updates);

    /// <summary>Those who have reserved it, or wait to; <see langword="null"/> when there are none.</summary>
    public ReservedState? Reserved { get; set; }

    /// <summary>What a dirty read gets.</summary>
    public StateVersion Tip => Exposed.Latest ?? Last;

    /// <summary>What a clean read gets.</summary>
    public StateVersion LatestSealed
    {
        get
        {
            var version = Last;
            while (!version.IsSealed && version.Previous is { } previous) version = previous;
            return version;
        }
    }

    /// <summary>
    /// The last ordered version at a timestamp; the oldest one that is still there, if that is later.
    /// </summary>
    public StateVersion VersionAt(long timestamp)
    {
        var version = Last;
        while (version.Wts > timestamp && version.Previous is { } previous) version = previous;
        return version;
    }

    /// <summary>Enters a transaction into the access list, or adds to what it has done there.</summary>
    /// <param name="branch">Who.</param>
    /// <param name="kind">What it does.</param>
    /// <param name="listed">Whether policies see it.</param>
    /// <param name="place">
    /// Its place among those who wait for holders: 0 if it waited its turn behind all who did, its place in their queue
    /// if it only waited for some of them; <see langword="null"/> if it waited for none.
    /// </param>
    public void List(Branch branch, AccessKind kind, bool listed, long? place = null)
    {
        for (var i = 0; i < _accessors.Count; i++)
        {
            if (_accessors[i].Branch != branch.Ref) continue;
            var known = _accessors[i];
            _accessors[i] = known with
            {
                Updates = known.Updates || kind == AccessKind.Update, IsListed = known.IsListed || listed
            };
            return;
        }

        _accessors.Add(new Accessor(branch.Ref, kind == AccessKind.Update, listed, place ?? ++_places));
    }

    /// <summary>A transaction is sealed or has ended: it is no longer in anyone's way.</summary>
    public void Unlist(Branch branch)
    {
        for (var i = 0; i < _accessors.Count; i++)
        {
            if (_accessors[i].Branch != branch.Ref) continue;
            _accessors.RemoveAt(i);
            return;
        }
    }

    /// <summary>
    /// The transaction to wait for before an access that waits for holders, or <see langword="null"/>: requests are
    /// served in the order of arrival, and each waits for the one just ahead of it that conflicts, so that a release
    /// wakes one and not all. Who went past the queue, because its policy does not wait, is not waited for by those
    /// whom it has passed: there may be no end of such.
    /// </summary>
    /// <param name="transaction">Who is about to access.</param>
    /// <param name="kind">How.</param>
    /// <param name="place">Its place in the queue; <see langword="null"/> before it has one.</param>
    /// <param name="byType">
    /// If only holders of those types are waited for whose cell in the row says "until sealed", the row.
    /// </param>
    public LocalTransaction? Blocker(
        LocalTransaction transaction, AccessKind kind, LockRequest? place = null, PolicyRow? byType = null)
    {
        var holds = false;
        LocalTransaction? holder = null;
        foreach (var accessor in _accessors)
        {
            if (TransactionOf(accessor) is not { } other) continue;
            if (other == transaction) holds = true;
            else if (IsHolder(accessor, other, kind, place) && Concerns(transaction, other, byType)) holder = other;
        }

        return holds ? holder : Ahead(transaction, kind, place, byType) ?? holder;
    }

    private static bool IsHolder(in Accessor accessor, LocalTransaction other, AccessKind kind, LockRequest? place) =>
        (kind == AccessKind.Update || accessor.Updates) && !other.IsSealed && !other.IsEnded
            && (place is null || accessor.Place < place.Number);

    private static bool Concerns(LocalTransaction transaction, LocalTransaction other, PolicyRow? byType) =>
        byType is not { } row || transaction.Policy.WaitOf(row, other.TypeId) == PolicyTable.UntilSealed;

    /// <summary>Whether another transaction, which is in the way still, has accessed it in conflict.</summary>
    public bool MeetsConflict(LocalTransaction transaction, AccessKind kind)
    {
        foreach (var accessor in _accessors)
        {
            if ((kind == AccessKind.Update || accessor.Updates) && TransactionOf(accessor) is { } other
                && other != transaction)
                return true;
        }

        return false;
    }

    /// <summary>All of which <see cref="Blocker"/> gives one, but for who waits.</summary>
    public IEnumerable<LocalTransaction> Holders(
        LocalTransaction transaction, AccessKind kind, LockRequest place, PolicyRow? byType)
    {
        // By number, because who is looked at may leave, and take others along.
        for (var i = _accessors.Count - 1; i >= 0; i = Math.Min(i, _accessors.Count) - 1)
        {
            if (TransactionOf(_accessors[i]) is { } other && other != transaction
                && IsHolder(_accessors[i], other, kind, place) && Concerns(transaction, other, byType))
                yield return other;
        }
    }

    /// <summary>Whether it has accessed the state.</summary>
    public bool IsAccessedBy(LocalTransaction transaction)
    {
        foreach (var accessor in _accessors)
        {
            if (TransactionOf(accessor) == transaction) return true;
        }

        return false;
    }

    /// <summary>
    /// The last of those who came before a place in the queue (or before one who has none) and conflict.
    /// </summary>
    private LocalTransaction? Ahead(
        LocalTransaction transaction, AccessKind kind, LockRequest? place, PolicyRow? byType)
    {
        LocalTransaction? ahead = null;
        for (var request = place is null ? _lastRequest : place.Previous; request is not null; request =
            request.Previous)
        {
            // What came after an earlier request of its own waits for itself.
            if (request.Transaction == transaction) ahead = null;

            // One that has ended leaves the queue only when its own turn
            // comes: waiting for it would wait for nothing, for ever.
            if (ahead is not null || request.Transaction == transaction || request.Transaction.IsSealed
                || request.Transaction.IsEnded)
                continue;
            if ((kind == AccessKind.Read && request.Kind == AccessKind.Read)
                || !Concerns(transaction, request.Transaction, byType))
                continue;
            ahead = request.Transaction;

            // Only one that runs in parallel may have asked twice.
            if (!transaction.IsParallel) break;
        }

        return ahead;
    }

    /// <summary>Who accesses it; <see langword="null"/> when that is over and forgotten.</summary>
    public LocalTransaction? TransactionOf(in Accessor accessor) => Partition.Find(accessor.Branch)?.Transaction;

    /// <summary>Whether it has accessed or reserved the state and is not out of the way yet.</summary>
    public bool IsHeldBy(LocalTransaction transaction) => IsAccessedBy(transaction) || IsReservedBy(transaction);

    private bool IsReservedBy(LocalTransaction transaction) =>
        Reserved is { } reserved && transaction.ReservedStates?.HoldsAny(reserved) == true;

    /// <summary>
    /// Joins the queue for <see cref="Blocker"/>: at its end, or, if age decides, where it belongs among those at the
    /// end for whom that decides in the same way.
    /// </summary>
    public LockRequest Enqueue(
        LocalTransaction transaction, AccessKind kind, PolicyActions conflict = PolicyActions.None)
    {
        var request = new LockRequest(
            transaction, kind, ++_places, conflict & (PolicyActions.Die | PolicyActions.Wound));
        var before = _lastRequest;
        while (before is not null && request.GoesAheadOf(before)) before = before.Previous;
        request.Previous = before;
        request.Next = before is null ? _firstRequest : before.Next;
        if (before is null) _firstRequest = request;
        else before.Next = request;
        if (request.Next is null) _lastRequest = request;
        else request.Next.Previous = request;
        return request;
    }

    /// <summary>Leaves the queue, served or not. Once.</summary>
    public void Dequeue(LockRequest request)
    {
        if (request.Previous is not null) request.Previous.Next = request.Next;
        else _firstRequest = request.Next;
        if (request.Next is not null) request.Next.Previous = request.Previous;
        else _lastRequest = request.Previous;
    }

    /// <summary>Takes back a version that nothing refers to.</summary>
    public void UseAgain(StateVersion version)
    {
        if (version.IsCommitted) _spares?.Add(version);
    }

    /// <summary>A private version for a transaction to fill.</summary>
    public StateVersion NewVersion(VersionId id, Branch writer, StateVersion previous)
    {
        _spares ??= Partition.SparesOf(Adapter);
        if (_spares.Take() is not { } version) return new StateVersion(this, id, writer, previous);
        version.Become(this, id, writer, previous);
        return version;
    }

    /// <summary>
    /// Forgets committed history that no declared read-only transaction is likely to ask for any more: what was
    /// overwritten at or before <paramref name="cutoff"/>, and what lies further back than <paramref name="keepMax"/>
    /// versions. Looks only once history has grown by half since the last look, so that a hot participant does not walk
    /// its chain at every commit.
    /// </summary>
    public void Prune(long cutoff, int keepMax)
    {
        if (++_history < _pruneAt) return;
        var kept = 0;
        var version = Last;
        while (version.Previous is not null && (!version.IsCommitted || (version.Wts > cutoff && kept < keepMax)))
        {
            version = version.Previous;
            kept++;
        }

        version.CutHistory();
        _history = kept;
        _pruneAt = kept + (kept / 2) + 1;
    }
}

/// <summary>A running transaction in a participant's access list.</summary>
/// <param name="Branch">Which.</param>
/// <param name="Updates">Whether it updates.</param>
/// <param name="IsListed">
/// Whether policies see it: reads once validated or not to be validated early, writes once exposed.
/// </param>
/// <param name="Place">
/// Its place among those who came without waiting and the requests of those who wait; 0 for who has waited its turn.
/// </param>
internal readonly record struct Accessor(BranchRef Branch, bool Updates, bool IsListed, long Place);
