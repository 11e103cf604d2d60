using Polyjuice.Contracts;
using Polyjuice.Partitions;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Wire;

namespace Polyjuice.Agents;

/// <summary>
/// Plans what a transaction reserves, by what is known of its accesses: from a dry run, declared, or learned.
/// </summary>
internal sealed class ReservationPlans(
    EngineContext context, LogOwners logs, RowOwners rows, OwnedPartitions partitions, KnownOwners knownOwners,
    TypeLearning learning, HotParticipants hot, TablesInForce tables, ActiveGrains activeElsewhere,
    LearnedAccessSets learnedSets)
{
    // What is known of a transaction that is being planned, and what it is to reserve: for one turn.
    private readonly List<KnownAccess> _known = [];
    private readonly List<PlannedReservation> _planned = [];

    /// <summary>What a dry run has accessed. Of one that did not end well nobody knows how much was to come.</summary>
    public ReservationPlan? PlanOf(LocalTransaction dry, bool isWhole)
    {
        var set = dry.DryRun!.Accesses;
        if (set.IsFull) return null;
        var handsOn = isWhole && HandsOn(dry.TypeId);
        _planned.Clear();
        foreach (var entry in set.Entries)
            _planned.Add(new PlannedReservation(entry.Partition, entry.Key, entry.Updates, handsOn ? entry.Count : 0));
        return ReservationPlan.Of(dry.Type, _planned, knownOwners.InOrder());
    }

    /// <summary>What is known without a dry run of the transaction; or what of it is hot.</summary>
    public ReservationPlan? PlanOf(string type, int typeId, List<KnownAccess> set, bool isHotOnly, bool isLearned)
    {
        if (set.Count >= AccessSet.EntriesMax) return null;
        var handsOn = HandsOn(typeId);
        _planned.Clear();
        foreach (var access in set)
        {
            if (!isHotOnly || hot.Contains(access.Key))
                _planned.Add(new PlannedReservation(
                    NumberIn(access), access.Key, access.Updates, handsOn ? Math.Max(0, access.Accesses) : 0));
        }

        return ReservationPlan.Of(
            type, _planned, knownOwners.InOrder(), isPartial: _planned.Count < set.Count, isLearned);
    }

    /// <summary>What is declared, for <see cref="PlanOf(string, int, List{KnownAccess}, bool, bool)"/>.</summary>
    public List<KnownAccess> Known(IReadOnlyList<DeclaredAccess> set)
    {
        _known.Clear();
        foreach (var access in set) _known.Add(new KnownAccess(access.Key, access.IsRow, access.Updates, Accesses: 1));
        return _known;
    }

    /// <summary>
    /// Plans what a transaction is going to access, as others of its type did; where the table leaves it to the silo,
    /// what is hot of that.
    /// </summary>
    /// <param name="request">The transaction.</param>
    /// <param name="typeId">Its type.</param>
    /// <param name="body">Its body.</param>
    /// <param name="earlier">An attempt before.</param>
    /// <param name="plan">What is reserved, if anything.</param>
    /// <param name="grains">What is activated before, if anything.</param>
    /// <param name="isToCheck">
    /// Whether a dry run is to show whether all is as it was, which reserves what was learned all the same.
    /// </param>
    /// <returns>Whether that is known: not if it has strayed before.</returns>
    public bool TryPlanLearned(
        TransactionRequest request, int typeId, ITransactionBody body, LocalTransaction? earlier,
        out ReservationPlan? plan, out ReservationPlan? grains, out bool isToCheck)
    {
        (plan, grains, isToCheck) = (null, null, false);
        if (!learnedSets.Learns(request) || earlier?.Reservations is { Strays: > 0 }) return false;
        var learned = learnedSets.Of(typeId);
        if (!learned.IsTrusted || request.CallKeys!.Of(body) is not { IsFull: false } keys) return false;
        learned.Say(keys, _known);
        if (_known.Count is 0 or >= AccessSet.EntriesMax) return false;
        plan = PlanOf(request.Type, typeId, _known, isHotOnly: tables.IsChosenHere(typeId), isLearned: true);
        grains = GrainsToLoad(_known, plan, typeId);
        isToCheck = learned.IsToCheck();
        if (!isToCheck) context.Statistics.LearnedAccessSets++;
        return true;
    }

    public ReservationPlan? HotPlanOfLearned(TransactionRequest request, int typeId, ITransactionBody body)
    {
        learnedSets.Of(typeId).Say(request.CallKeys!.Of(body), _known);
        return PlanOf(request.Type, typeId, _known, isHotOnly: true, isLearned: true);
    }

    /// <summary>
    /// What of a known set is activated before the part of it that is hot is reserved: what is not known to be
    /// active, where some has to be lately.
    /// </summary>
    /// <param name="set">All of it.</param>
    /// <param name="part">The part.</param>
    /// <param name="typeId">The transaction's type.</param>
    public ReservationPlan? GrainsToLoad(List<KnownAccess> set, ReservationPlan? part, int typeId)
    {
        if (part is not { IsPartial: true } || !learning.HasToLoad(typeId)) return null;
        activeElsewhere.Begin(part.View, context.Now);
        List<KnownAccess>? unknown = null;
        foreach (var access in set)
        {
            if (!IsKnownActive(access)) (unknown ??= []).Add(access);
        }

        if (unknown is not null) return PlanOf(part.Type, typeId, unknown, isHotOnly: false, part.IsLearned);
        learning.NoteLoading(typeId, hasLoaded: false);
        return null;
    }

    private bool IsKnownActive(in KnownAccess access)
    {
        if (partitions.Owner(NumberIn(access)) is not { } owner) return activeElsewhere.Contains(access.Key.Grain);
        return access.IsRow || owner.FindParticipant(access.Key) is { IsLoaded: true };
    }

    private int NumberIn(in KnownAccess access) =>
        access.IsRow ? rows.NumberOf(access.Key) : logs.PartitionOf(access.Key);

    private bool HandsOn(int typeId) =>
        learning.KeptInARow(typeId) >= context.Options.HandOnAfterKept
            && context.Options.HandOnAfterKept != int.MaxValue;
}
