namespace Polyjuice.Contracts;

/// <summary>
/// Counters of one engine since it was made, for benchmarks and tests; the same numbers go to the meter
/// <c>Polyjuice</c>. Written on the engine's turn; other threads may read and see slightly old values.
/// </summary>
internal sealed class EngineStatistics
{
    /// <summary>Transactions that this node's agent committed.</summary>
    public long Commits;

    /// <summary>Aborted attempts by reason, indexed by <see cref="AbortReason"/>.</summary>
    public readonly long[] AbortsByReason = new long[AbortReasonExtensions.Count];

    private TypeStatistics?[] _byType = [];

    /// <summary>Attempts started.</summary>
    public long Attempts;

    /// <summary>
    /// How long transactions have been open here, from their begin to their end with all
    /// attempts, and before it what they waited to begin, summed over them, in
    /// microseconds. Those that are still open are counted up to a few milliseconds ago.
    /// </summary>
    public long OpenMicroseconds;

    /// <summary>
    /// Attempts that waited for their turn before they started, because too many of their kind abort each other.
    /// </summary>
    public long Held;

    /// <summary>Waits for other transactions that were begun.</summary>
    public long Waits;

    /// <summary>Waits that ended by their deadline; expected to be 0.</summary>
    public long WaitsEndedByDeadline;

    /// <summary>
    /// Transactions looked at in search of wait cycles: what waiting costs beyond the waits themselves.
    /// </summary>
    public long WaitSteps;

    /// <summary>Probes for wait cycles sent to other nodes.</summary>
    public long ProbesSent;

    /// <summary>Engine messages to other nodes (many share one batch).</summary>
    public long MessagesSent;

    /// <summary>Batches of engine messages.</summary>
    public long MessageBatchesSent;

    /// <summary>Bytes of those batches.</summary>
    public long MessageBytesSent;

    /// <summary>Log appends begun.</summary>
    public long Appends;

    /// <summary>Bytes of those appends.</summary>
    public long AppendBytes;

    /// <summary>Appends, and reads of a take-over, that failed and were tried again.</summary>
    public long AppendFailures;

    /// <summary>Logs and rows that can't be written at present.</summary>
    public long LogsOut;

    /// <summary>Checkpoints made.</summary>
    public long Checkpoints;

    /// <summary>Bodies that were run again with a validated prefix served from the record.</summary>
    public long Resumes;

    /// <summary>Bodies that were run dry.</summary>
    public long DryRuns;

    /// <summary>
    /// Attempts that reserved, in the place of what a dry run would
    /// have found, what others of their type have accessed.
    /// </summary>
    public long LearnedAccessSets;

    /// <summary>Attempts that reserved what they were to access, and ran.</summary>
    public long Reservations;

    /// <summary>Reservations here that had to wait for another.</summary>
    public long ReservationWaits;

    /// <summary>
    /// Reservations held here that gave way to an older attempt, because messages had overtaken each other.
    /// </summary>
    public long ReservationsGivenWay;

    /// <summary>
    /// Reservations here that were handed on after the last planned access, before the transaction was ordered.
    /// </summary>
    public long HandedOn;

    /// <summary>Attempts that ran before all was held, because that took too long.</summary>
    public long ReservationTimeouts;

    /// <summary>Attempts that had grains activated before they reserved anything.</summary>
    public long ReservationsToLoad;

    /// <summary>
    /// Reserved attempts that came to something that they had not
    /// reserved, and committed all the same or gave up for it.
    /// </summary>
    public long AccessSetMisses;

    /// <summary>From an append's start until it is durable, summed over appends, in microseconds.</summary>
    internal long AppendMicroseconds;

    /// <summary>
    /// Attempts of transactions that declare what they access, or
    /// may be run dry: tables that reserve can do so for them.
    /// </summary>
    internal long Reservable;

    /// <summary>
    /// What accesses met, as far as a table in force asks for it (<see cref="Policies.PolicyTable.IsObserved"/>).
    /// </summary>
    internal ObservedAccesses Observed;

    /// <summary>
    /// The transaction types of which attempts have ended here. A snapshot of the list, whose members go on counting.
    /// </summary>
    public IEnumerable<TypeStatistics> ByType => Volatile.Read(ref _byType).OfType<TypeStatistics>();

    /// <summary>The counters of a type, made now if it is new.</summary>
    internal TypeStatistics OfType(int typeId, string type)
    {
        if (typeId < _byType.Length && _byType[typeId] is { } known) return known;

        // A copy, because others read the array meanwhile.
        var longer = new TypeStatistics?[Math.Max(_byType.Length, typeId + 1)];
        _byType.CopyTo(longer, 0);
        longer[typeId] = new TypeStatistics(type);
        Volatile.Write(ref _byType, longer);
        return longer[typeId]!;
    }

    /// <summary>The counters of several engines, as they are now, together.</summary>
    /// <param name="engines">Theirs; they may be running, and some may not be there yet.</param>
    public static EngineStatistics Sum(IEnumerable<EngineStatistics?> engines)
    {
        var sum = new EngineStatistics();
        foreach (var one in engines)
        {
            if (one is not null) sum.Add(one);
        }

        return sum;
    }

    /// <summary>Adds another engine's counters, as they are now, to these.</summary>
    /// <param name="other">Which may be running.</param>
    public void Add(EngineStatistics other)
    {
        Commits += Volatile.Read(ref other.Commits);
        Attempts += Volatile.Read(ref other.Attempts);
        OpenMicroseconds += Volatile.Read(ref other.OpenMicroseconds);
        Held += Volatile.Read(ref other.Held);
        Waits += Volatile.Read(ref other.Waits);
        WaitsEndedByDeadline += Volatile.Read(ref other.WaitsEndedByDeadline);
        WaitSteps += Volatile.Read(ref other.WaitSteps);
        ProbesSent += Volatile.Read(ref other.ProbesSent);
        MessagesSent += Volatile.Read(ref other.MessagesSent);
        MessageBatchesSent += Volatile.Read(ref other.MessageBatchesSent);
        MessageBytesSent += Volatile.Read(ref other.MessageBytesSent);
        Appends += Volatile.Read(ref other.Appends);
        AppendBytes += Volatile.Read(ref other.AppendBytes);
        AppendFailures += Volatile.Read(ref other.AppendFailures);
        LogsOut += Volatile.Read(ref other.LogsOut);
        Checkpoints += Volatile.Read(ref other.Checkpoints);
        Resumes += Volatile.Read(ref other.Resumes);
        DryRuns += Volatile.Read(ref other.DryRuns);
        LearnedAccessSets += Volatile.Read(ref other.LearnedAccessSets);
        Reservations += Volatile.Read(ref other.Reservations);
        ReservationWaits += Volatile.Read(ref other.ReservationWaits);
        ReservationsGivenWay += Volatile.Read(ref other.ReservationsGivenWay);
        HandedOn += Volatile.Read(ref other.HandedOn);
        ReservationTimeouts += Volatile.Read(ref other.ReservationTimeouts);
        ReservationsToLoad += Volatile.Read(ref other.ReservationsToLoad);
        AccessSetMisses += Volatile.Read(ref other.AccessSetMisses);
        AppendMicroseconds += Volatile.Read(ref other.AppendMicroseconds);
        Reservable += Volatile.Read(ref other.Reservable);
        Observed.Add(ref other.Observed);
        foreach (var type in other.ByType)
        {
            var index = Array.FindIndex(_byType, own => own?.Type == type.Type);
            var sum = OfType(index < 0 ? _byType.Length : index, type.Type);
            sum.Attempts += Volatile.Read(ref type.Attempts);
            sum.Aborts += Volatile.Read(ref type.Aborts);
        }

        for (var reason = 0; reason < AbortsByReason.Length; reason++)
            AbortsByReason[reason] += Volatile.Read(ref other.AbortsByReason[reason]);
    }
}
