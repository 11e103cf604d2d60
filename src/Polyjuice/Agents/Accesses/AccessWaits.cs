using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Versions;
using Polyjuice.Waits;

namespace Polyjuice.Agents;

/// <summary>
/// The waits before an access: for dependencies, for holders, and for a version that is being sealed.
/// </summary>
internal static class AccessWaits
{
    public static bool MustWait(in StateAccess access) =>
        IsBarred(access)
        || (access.Has(PolicyActions.HasWaits) && Blocking(access.Transaction, access.Row).Target is not null)
        || (access.Has(PolicyActions.WaitForHolders)
            && access.Participant.Blocker(access.Transaction, access.Kind, place: null, access.ByType) is not null)
        || Sealing(access) is not null
        || Publisher(access) is not null;

    /// <summary>Waits as the row says.</summary>
    /// <returns>Its place in the queue of those who wait for holders, or 0.</returns>
    public static async ValueTask<long> WaitAsync(StateAccess access)
    {
        var transaction = access.Transaction;
        if (access.Participant.Reservations is not null) await ForReservations(access);
        if (access.Has(PolicyActions.HasWaits)) await ForDependencies(access, access.Row);
        var place = access.Has(PolicyActions.WaitForHolders) ? await ForHolders(access) : 0;
        while (Sealing(access) is { } writer)
        {
            if (!await access.Engine.Waits.WaitAsync(transaction, writer, Wait.Sealed, access.Site.Id))
                throw access.Engine.Exceptions.DoomException(transaction);
        }

        while (Publisher(access) is { } publisher)
        {
            if (!await access.Engine.Waits.WaitAsync(transaction, publisher, Wait.Validated, access.Site.Id))
                throw access.Engine.Exceptions.DoomException(transaction);
        }

        return place;
    }

    /// <summary>
    /// Who has updated the state, and exposes that as soon as it has validated it. A dirty access that did not wait for
    /// that would find the version before, on which only one of the two can build.
    /// </summary>
    private static LocalTransaction? Publisher(in StateAccess access)
    {
        if (!access.Transaction.Policy.HasEarlyValidation || !access.Has(PolicyActions.ReadDirty)) return null;
        foreach (var accessor in access.Participant.Accessors)
        {
            if (accessor.IsListed || !accessor.Updates
                || access.Participant.TransactionOf(accessor) is not { IsDoomed: false } other
                || other == access.Transaction)
                continue;

            // One may be over, as its agent says, while a call of it here
            // still validates: there is nothing to wait for.
            if (!Wait.IsSatisfied(other, Wait.Validated)) return other;
        }

        return null;
    }

    public static async ValueTask ForDependencies(StateAccess access, PolicyRow row)
    {
        while (Blocking(access.Transaction, row) is (not null and var target, var level))
        {
            if (!await access.Engine.Waits.WaitAsync(access.Transaction, target, level, access.Site.Id))
                throw access.Engine.Exceptions.DoomException(access.Transaction);
        }
    }

    /// <summary>Whether a dependency has not got as far as the row wants.</summary>
    public static bool IsBlocked(LocalTransaction transaction, PolicyRow row) =>
        Blocking(transaction, row).Target is not null;

    /// <summary>The first dependency that has not got as far as the row wants.</summary>
    private static (LocalTransaction? Target, int Level) Blocking(LocalTransaction transaction, PolicyRow row)
    {
        if (transaction.Predecessors is not { } predecessors) return default;
        for (var i = predecessors.Count - 1; i >= 0; i--)
        {
            var other = predecessors[i];
            if (other.IsSealed || other.IsEnded)
            {
                predecessors.RemoveAt(i);
                continue;
            }

            var cell = transaction.Policy.WaitOf(row, other.TypeId);
            if (cell == PolicyTable.NoWait) continue;
            var level = cell == PolicyTable.UntilSealed ? Wait.Sealed : cell;
            if (!Wait.IsSatisfied(other, level)) return (other, level);
        }

        return default;
    }

    /// <summary>
    /// Whether a reservation is in the way. Not where waiting would keep the grain's turn: the holder's call may be the
    /// next one there, and it would wait for a turn that is held by who waits for it, which no search for cycles sees.
    /// Who goes past can only harm itself: its update is not ordered before the holder's, once that has accessed the
    /// state.
    /// </summary>
    private static bool IsBarred(in StateAccess access) =>
        access.Participant.Reservations is { } reservations && !reservations.Lets(
                access.Transaction, access.Kind == AccessKind.Update, access.ReadsLatest, isFirst: access.Number == 1)
            && (!access.KeepsTurn || access.Transaction.Reservations is { HoldsAll: true });

    /// <summary>
    /// Who meets with its first access a reservation that conflicts queues behind it, and then holds one itself: so
    /// those who reserve and those who do not are served in one order of arrival. What a later access waits for says
    /// <see cref="Reservations.ReservationQueue.Lets"/>. But who has reserved, and strays from that, does not wait: it
    /// holds what others wait for, in an order that is nobody's, and could close a cycle with those who keep to their
    /// sets. It is to reserve anew. Who has reserved a part only, by intent, waits like anybody else.
    /// </summary>
    private static async ValueTask ForReservations(StateAccess access)
    {
        while (IsBarred(access))
        {
            if (access.Transaction.Reservations is { HoldsAll: true }) access.Abort(AbortReason.AccessSetMiss);
            var reservations = access.Participant.Reservations!;
            var request = reservations.Join(
                access.Transaction, access.Kind == AccessKind.Update, access.ReadsLatest, access.Site.Id);
            if (!request.IsHeld) await request.Granted;

            // Its agent may be done with it before it hears so here: what
            // it waits for is all that was heard of it then.
            access.Engine.Lifecycle.ThrowIfUnusable(access.Frame);
        }
    }

    private static async ValueTask<long> ForHolders(StateAccess access)
    {
        if (access.Participant.Blocker(access.Transaction, access.Kind, place: null, access.ByType) is null) return 0;
        var request = access.Participant.Enqueue(access.Transaction, access.Kind, access.Row.Actions);
        try
        {
            var blocker = access.Participant.Blocker(access.Transaction, access.Kind, request, access.ByType);
            if (blocker is null && HolderConflicts.MustYieldToQueue(access, request)) access.Abort(AbortReason.Yielded);
            for (; blocker is not null; blocker = access.Participant.Blocker(
                access.Transaction, access.Kind, request, access.ByType))
            {
                HolderConflicts.Decide(access, request);
                if (!await access.Engine.Waits.WaitAsync(
                    access.Transaction, blocker, Wait.Sealed, access.Site.Id, access.Participant))
                    throw access.Engine.Exceptions.DoomException(access.Transaction);
            }

            return request.Number;
        }
        finally
        {
            access.Participant.Dequeue(request);
        }
    }

    /// <summary>
    /// A clean access that finds an ordered version which is not sealed yet waits for that, as Silo's readers wait for
    /// a record's lock: whoever is being sealed waits for nobody that still executes, and a transaction that read past
    /// it could only fail.
    /// </summary>
    private static LocalTransaction? Sealing(in StateAccess access)
    {
        if (access.ReadsLatest) return null;
        var last = access.Participant.Last;
        if (last.IsSealed || last.Writer is not { } writer || writer.Transaction == access.Transaction
            || writer.Transaction.IsEnded)
            return null;
        if (access.Kind == AccessKind.Read && last.Wts > access.Transaction.Start) return null;
        if (access.Transaction.BranchAt(access.Participant.Partition)?.EntryOf(access.Participant) is not null)
            return null;
        return writer.Transaction;
    }
}
