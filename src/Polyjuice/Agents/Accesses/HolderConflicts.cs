using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Reservations;
using Polyjuice.Versions;

namespace Polyjuice.Agents;

/// <summary>
/// Where a row has age decide a conflict with those who hold a state (Rosenkrantz, Stearns, Lewis, 1978). Age is that
/// of the first attempt, so that a transaction that keeps losing becomes the oldest, and then wins. Speed only: what is
/// aborted here has not been ordered, so that its participant may refuse it (V3), and nobody need be asked.
/// </summary>
internal static class HolderConflicts
{
    /// <summary>Decides, for an access that stands in the queue and has found somebody in its way.</summary>
    public static void Decide(in StateAccess access, LockRequest place)
    {
        if (Yields(access)) Yield(access, place);
        else if (access.Has(PolicyActions.Wound)) Wound(access, place);
    }

    /// <summary>
    /// The queue serves the youngest first, so that those who wait there wait for
    /// younger ones. Who could go on at once, because it agrees with those who hold the
    /// state, must not do so past an older one that waits: there may be no end of such.
    /// </summary>
    public static bool MustYieldToQueue(in StateAccess access, LockRequest place) =>
        Yields(access) && !access.Participant.IsAccessedBy(access.Transaction) && place.PassesOlder();

    /// <summary>
    /// Who has reserved what it accesses aborts for no conflict: its turn has come, whatever its age.
    /// </summary>
    private static bool Yields(in StateAccess access) =>
        access.Has(PolicyActions.Die) && !KeepsToPlan(access.Transaction);

    private static bool KeepsToPlan(LocalTransaction transaction) => transaction.Reservations is { KeepsToPlan: true };

    private static void Yield(in StateAccess access, LockRequest place)
    {
        foreach (var holder in access.Participant.Holders(access.Transaction, access.Kind, place, access.ByType))
        {
            // One that is doomed is as good as gone.
            if (!holder.IsDoomed && access.Transaction.IsYoungerThan(holder)) access.Abort(AbortReason.Yielded, holder);
        }
    }

    private static void Wound(in StateAccess access, LockRequest place)
    {
        foreach (var holder in access.Participant.Holders(access.Transaction, access.Kind, place, access.ByType))
        {
            if (holder.IsYoungerThan(access.Transaction) && !KeepsToPlan(holder)
                && (IsExecuting(holder) || access.Engine.Breaks == ProtocolBreaks.WoundOrdered))
                access.Engine.Lifecycle.Doom(
                    holder, AbortReason.Wounded, access.Participant, access.Site.Id, access.Transaction);
        }
    }

    /// <summary>
    /// Whether it has been ordered nowhere here, and its agent, if that is here, has sent no prepare. Agents elsewhere
    /// may have: then they hear a refusal, and the manager aborts.
    /// </summary>
    private static bool IsExecuting(LocalTransaction transaction)
    {
        if (transaction.Agent is { State: not AgentState.Running }) return false;
        for (var branch = transaction.Branches; branch is not null; branch = branch.NextInTransaction)
        {
            if (branch.State != BranchState.Running) return false;
        }

        return true;
    }
}
